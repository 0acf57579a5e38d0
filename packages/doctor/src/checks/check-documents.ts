import type { RemoteRegistration } from '@tributary/aggregator/api-services';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { ProbeResponse } from '../probes/probes.ts';
import { type CheckResult, type Failed, type Fix, passed } from '../report/diagnosis.ts';
import { redirectFix, type ServiceObjects } from '../report/fixes.ts';
import { responseMessage } from './check-access.ts';
import { copyForVersion } from './check-registration.ts';

/** The discovery timeout of kube-aggregator and of ours. */
export const DISCOVERY_TIMEOUT_MS = 5_000;

export interface DiscoveryFacts {
  readonly response: ProbeResponse;
  /** Versions in the server's own APIGroup; undefined: it serves none. */
  readonly served: readonly string[] | undefined;
  readonly apiService: APIService;
  /** Names of all APIServices. */
  readonly registered: readonly string[];
  readonly objects: ServiceObjects;
}

/** Whether the server serves the registered group version. */
export function checkDiscovery(
  registration: RemoteRegistration,
  facts: DiscoveryFacts,
): CheckResult {
  const { response } = facts;
  const { group, version } = registration;
  const path = `/apis/${group}/${version}`;
  if (response.kind === 'failed') {
    const isTimeout = response.code === 'ETIMEDOUT';
    return {
      status: 'failed',
      message: isTimeout
        ? `no response to GET ${path}: ${response.message}`
        : `GET ${path} failed: ${response.message}`,
      impact: `the aggregator waits ${DISCOVERY_TIMEOUT_MS / 1000} s and then marks the server unavailable`,
      fixes: [
        {
          kind: 'server',
          action: 'restart',
          text: 'restart the server; its log shows what it waits for',
        },
      ],
    };
  }
  const wrongServer = (message: string, impact: string): Failed => ({
    status: 'failed',
    message,
    impact,
    fixes: [redirectFix(registration, facts.objects)],
  });
  if (response.status >= 300 && response.status <= 399) {
    const location = response.headers.location ?? 'nowhere';
    return wrongServer(
      `GET ${path} is redirected to ${location} (${response.status})`,
      'the aggregator follows no redirects; a login page or a load balancer responds instead of the API server',
    );
  }
  if (response.status === 404) return notServed(registration, facts);
  if (response.status < 200 || response.status > 299) {
    return {
      status: 'failed',
      message: `GET ${path} returned ${response.status}: ${responseMessage(response)}`,
      impact: 'the aggregator marks a server available only when this request returns 2xx',
      fixes: [
        { kind: 'server', action: 'restart', text: 'check the log of the server for this request' },
      ],
    };
  }
  const problem = contentProblem(response, `${group}/${version}`);
  if (problem !== undefined) {
    return wrongServer(
      `GET ${path} returned ${problem}`,
      'the program that responds is not an API server of this group, although it returns 200',
    );
  }
  if (response.durationMs > DISCOVERY_TIMEOUT_MS) {
    return {
      status: 'failed',
      message: `GET ${path} took ${(response.durationMs / 1000).toFixed(1)} s`,
      impact: `the aggregator waits ${DISCOVERY_TIMEOUT_MS / 1000} s and then marks the server unavailable`,
      fixes: [
        {
          kind: 'server',
          action: 'restart',
          text: 'give the server more CPU, or check its log for what it waits for',
        },
      ],
    };
  }
  return passed(`${path} in ${Math.round(response.durationMs)} ms`);
}

function notServed(
  registration: RemoteRegistration,
  { served, apiService, registered, objects }: DiscoveryFacts,
): CheckResult {
  const { name, group, version } = registration;
  if (served === undefined || served.length === 0) {
    return {
      status: 'failed',
      message: `the server does not serve ${group} (404)`,
      impact: 'another server responds, or the group has a different name',
      fixes: [redirectFix(registration, objects)],
    };
  }
  const unregistered = served.filter((one) => !registered.includes(`${one}.${group}`));
  const create = (one: string): Fix => ({
    kind: 'kubectl',
    args: ['create', '-f', '-'],
    input: copyForVersion(apiService, one),
  });
  return {
    status: 'failed',
    message: `the server does not serve ${group}/${version} (404), only ${served.join(', ')}`,
    impact: 'a version that no server serves stays unavailable',
    fixes: [
      { kind: 'kubectl', args: ['delete', 'apiservice', name] },
      ...unregistered.slice(0, 1).map(create),
    ],
  };
}

/** A description of the body when it is not the expected APIResourceList. */
function contentProblem(
  { headers, body }: Extract<ProbeResponse, { kind: 'response' }>,
  groupVersion: string,
): string | undefined {
  const list = parseJsonObject(body);
  const type = headers['content-type'] ?? 'no content type';
  if (list === undefined) return `${type} that is not JSON`;
  if (list.kind !== 'APIResourceList')
    return `JSON of kind ${String(list.kind)} instead of APIResourceList`;
  if (list.groupVersion !== groupVersion) return `the resources of ${String(list.groupVersion)}`;
  return Array.isArray(list.resources) ? undefined : 'an APIResourceList without resources';
}

export interface OpenApiFacts {
  /** The document of the group version, or the index when it does not list the group version. */
  readonly v3: ProbeResponse;
  readonly v2: ProbeResponse;
}

/** One of the two is enough for kubectl. */
export function checkOpenApi({ v3, v2 }: OpenApiFacts): CheckResult {
  const problems = [
    { path: '/openapi/v3', problem: documentProblem(v3, ['paths', 'openapi']) },
    { path: '/openapi/v2', problem: documentProblem(v2, ['swagger']) },
  ];
  const isServed = problems.some(({ problem }) => problem === undefined);
  const invalid = problems.filter(({ problem }) => problem !== undefined && problem !== ABSENT);
  if (isServed && invalid.length === 0) {
    const valid = problems.filter(({ problem }) => problem === undefined);
    return passed(
      `${valid.map(({ path }) => path).join(' and ')} ${valid.length === 1 ? 'is' : 'are'} valid`,
    );
  }
  const shown = (invalid.length > 0 ? invalid : problems).map(
    ({ path, problem }) => `${path} ${problem}`,
  );
  return {
    status: 'failed',
    message: shown.join('; '),
    impact: 'kubectl explain and kubectl apply need the OpenAPI documents of the group',
    fixes: [
      {
        kind: 'server',
        action: 'change',
        text: 'make the server publish /openapi/v3 and /openapi/v2; servers built with @tributary/server do so',
      },
    ],
  };
}

const ABSENT = 'does not exist (404)';

function documentProblem(response: ProbeResponse, members: readonly string[]): string | undefined {
  if (response.kind === 'failed') return `failed: ${response.message}`;
  if (response.status === 404) return ABSENT;
  if (response.status !== 200) return `returned ${response.status}`;
  const document = parseJsonObject(response.body);
  if (document === undefined) return 'is not JSON';
  return members.some((member) => Object.hasOwn(document, member))
    ? undefined
    : 'is not an OpenAPI document';
}

/** The path of the group version's document, from the index at `/openapi/v3`. */
export function documentPath(
  index: ProbeResponse,
  { group, version }: RemoteRegistration,
): string | undefined {
  if (index.kind === 'failed' || index.status !== 200) return undefined;
  const paths = parseJsonObject(index.body)?.paths as Readonly<Record<string, unknown>> | undefined;
  const entry = paths?.[`apis/${group}/${version}`] as { serverRelativeURL?: unknown } | undefined;
  const url = entry?.serverRelativeURL;
  return typeof url === 'string' && url.startsWith('/') ? url : undefined;
}

/** Versions in an APIGroup. */
export function groupVersions(response: ProbeResponse): readonly string[] | undefined {
  if (response.kind === 'failed' || response.status !== 200) return undefined;
  const versions = parseJsonObject(response.body)?.versions;
  if (!Array.isArray(versions)) return undefined;
  return versions.flatMap((one: { version?: unknown } | null) =>
    typeof one?.version === 'string' ? [one.version] : [],
  );
}

function parseJsonObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined; // reported by the caller
  }
}
