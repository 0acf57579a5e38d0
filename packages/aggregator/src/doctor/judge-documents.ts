import type { APIService } from '@tributary/api/apiregistration-v1';
import type { RemoteRegistration } from '../registrations/registration.ts';
import { type Broken, type Fix, type Judgement, well } from './finding.ts';
import { pointElsewhere, type ServiceObjects } from './fixes.ts';
import { messageIn } from './judge-access.ts';
import { sameFor } from './judge-registration.ts';
import type { Answer } from './look.ts';

/** As long as an aggregator waits for discovery, ours and upstream's. */
export const DISCOVERY_TIME_MS = 5_000;

export interface DiscoveryFacts {
  readonly answer: Answer;
  /** Versions of the group that the server says it serves; undefined: it says nothing of the group. */
  readonly served: readonly string[] | undefined;
  readonly apiService: APIService;
  /** Of all APIServices. */
  readonly registered: readonly string[];
  readonly objects: ServiceObjects;
}

/** Whether the server serves what is registered. */
export function judgeDiscovery(registration: RemoteRegistration, facts: DiscoveryFacts): Judgement {
  const { answer } = facts;
  const { group, version } = registration;
  const path = `/apis/${group}/${version}`;
  if (answer.kind === 'failed') {
    const silent = answer.code === 'ETIMEDOUT';
    return {
      outcome: 'broken',
      words: silent
        ? `no answer to GET ${path}: ${answer.why}`
        : `GET ${path} fails: ${answer.why}`,
      matters: `the aggregator waits ${DISCOVERY_TIME_MS / 1000} s and then calls the server unavailable`,
      fixes: [
        {
          kind: 'server',
          action: 'restart',
          text: 'restart the server; its log says what it waits for',
        },
      ],
    };
  }
  const elsewhere = (words: string, matters: string): Broken => ({
    outcome: 'broken',
    words,
    matters,
    fixes: [pointElsewhere(registration, facts.objects)],
  });
  if (answer.status >= 300 && answer.status <= 399) {
    const where = answer.headers.location ?? 'nowhere';
    return elsewhere(
      `GET ${path} is redirected to ${where} (${answer.status})`,
      'aggregators follow no redirects: whoever answers is a login page or a load balancer, not the API server',
    );
  }
  if (answer.status === 404) return unserved(registration, facts);
  if (answer.status < 200 || answer.status > 299) {
    return {
      outcome: 'broken',
      words: `GET ${path} is answered with ${answer.status}: ${messageIn(answer)}`,
      matters: 'the aggregator calls a server available only when this is answered with 2xx',
      fixes: [
        { kind: 'server', action: 'restart', text: 'see the log of the server for this request' },
      ],
    };
  }
  const problem = contentProblem(answer, `${group}/${version}`);
  if (problem !== undefined) {
    return elsewhere(
      `GET ${path} is answered with ${problem}`,
      'whoever answers there is no API server of this group, although it answers with 200',
    );
  }
  if (answer.tookMs > DISCOVERY_TIME_MS) {
    return {
      outcome: 'broken',
      words: `GET ${path} takes ${(answer.tookMs / 1000).toFixed(1)} s`,
      matters: `the aggregator waits ${DISCOVERY_TIME_MS / 1000} s and then calls the server unavailable`,
      fixes: [
        {
          kind: 'server',
          action: 'restart',
          text: 'give the server more CPU, or find out in its log what it waits for',
        },
      ],
    };
  }
  return well(`${path} in ${Math.round(answer.tookMs)} ms`);
}

function unserved(
  registration: RemoteRegistration,
  { served, apiService, registered, objects }: DiscoveryFacts,
): Judgement {
  const { name, group, version } = registration;
  if (served === undefined || served.length === 0) {
    return {
      outcome: 'broken',
      words: `the server serves nothing of ${group}: 404`,
      matters: 'another server answers there, or the group is called otherwise',
      fixes: [pointElsewhere(registration, objects)],
    };
  }
  const unregistered = served.filter((one) => !registered.includes(`${one}.${group}`));
  const create = (one: string): Fix => ({
    kind: 'kubectl',
    args: ['create', '-f', '-'],
    input: sameFor(apiService, one),
  });
  return {
    outcome: 'broken',
    words: `the server does not serve ${group}/${version} (404), only ${served.join(', ')}`,
    matters: 'a version that nobody serves is unavailable for ever',
    fixes: [
      { kind: 'kubectl', args: ['delete', 'apiservice', name] },
      ...unregistered.slice(0, 1).map(create),
    ],
  };
}

/** Of a body that should be an APIResourceList. */
function contentProblem(
  { headers, body }: Extract<Answer, { kind: 'answer' }>,
  groupVersion: string,
): string | undefined {
  const list = jsonIn(body);
  const type = headers['content-type'] ?? 'no content type';
  if (list === undefined) return `${type} that is no JSON`;
  if (list.kind !== 'APIResourceList')
    return `JSON that is no APIResourceList but ${String(list.kind)}`;
  if (list.groupVersion !== groupVersion) return `the resources of ${String(list.groupVersion)}`;
  return Array.isArray(list.resources) ? undefined : 'an APIResourceList without resources';
}

export interface OpenApiFacts {
  /** Of `/openapi/v3`; of the group version where that names it. */
  readonly v3: Answer;
  readonly v2: Answer;
}

/** One of the two is enough: kubectl takes either. */
export function judgeOpenApi({ v3, v2 }: OpenApiFacts): Judgement {
  const problems = [
    { called: '/openapi/v3', problem: documentProblem(v3, ['paths', 'openapi']) },
    { called: '/openapi/v2', problem: documentProblem(v2, ['swagger']) },
  ];
  const isServed = problems.some(({ problem }) => problem === undefined);
  const damaged = problems.filter(({ problem }) => problem !== undefined && problem !== ABSENT);
  if (isServed && damaged.length === 0) {
    const good = problems.filter(({ problem }) => problem === undefined);
    return well(`${good.map(({ called }) => called).join(' and ')} can be read`);
  }
  const shown = (damaged.length > 0 ? damaged : problems).map(
    ({ called, problem }) => `${called} ${problem}`,
  );
  return {
    outcome: 'broken',
    words: shown.join('; '),
    matters: 'kubectl explain, validation and kubectl apply need it for the kinds of the group',
    fixes: [
      {
        kind: 'server',
        action: 'change',
        text: 'make the server answer /openapi/v3 and /openapi/v2 with documents; servers built with the library do it by themselves',
      },
    ],
  };
}

const ABSENT = 'is not there (404)';

function documentProblem(answer: Answer, members: readonly string[]): string | undefined {
  if (answer.kind === 'failed') return `fails: ${answer.why}`;
  if (answer.status === 404) return ABSENT;
  if (answer.status !== 200) return `is answered with ${answer.status}`;
  const document = jsonIn(answer.body);
  if (document === undefined) return 'is no JSON';
  return members.some((member) => Object.hasOwn(document, member))
    ? undefined
    : 'is no OpenAPI document';
}

/** The URL of the group version's document, from the index of `/openapi/v3`. */
export function documentPath(
  index: Answer,
  { group, version }: RemoteRegistration,
): string | undefined {
  if (index.kind === 'failed' || index.status !== 200) return undefined;
  const paths = jsonIn(index.body)?.paths as Readonly<Record<string, unknown>> | undefined;
  const entry = paths?.[`apis/${group}/${version}`] as { serverRelativeURL?: unknown } | undefined;
  const url = entry?.serverRelativeURL;
  return typeof url === 'string' && url.startsWith('/') ? url : undefined;
}

/** Versions in an APIGroup. */
export function versionsIn(answer: Answer): readonly string[] | undefined {
  if (answer.kind === 'failed' || answer.status !== 200) return undefined;
  const versions = jsonIn(answer.body)?.versions;
  if (!Array.isArray(versions)) return undefined;
  return versions.flatMap((one: { version?: unknown } | null) =>
    typeof one?.version === 'string' ? [one.version] : [],
  );
}

function jsonIn(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined; // Said by who asked.
  }
}
