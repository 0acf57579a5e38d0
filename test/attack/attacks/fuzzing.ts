/** Bodies, selectors, targets and headers that are nearly right. Each gets a response, and none is a bug of the server. */

import { readCorpus } from '../../fuzz/fuzz.ts';
import { mutate } from '../../fuzz/mutator.ts';
import { targets } from '../../fuzz/targets.ts';
import { type Attack, type AttackContext, type AttackResult, Findings } from '../attack.ts';
import { ATTACKED, type Sending, send } from '../site.ts';

const LANES = 4;
const BODY_BYTES = 8 * 1024;

const CONTENT_TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/cbor',
  'text/plain',
  '',
];

function corpusOf(name: string): Buffer[] {
  const target = targets.find(({ corpus }) => corpus === name);
  if (target === undefined) throw new Error(`no parser has the corpus ${name}`);
  return readCorpus(target);
}

export const bodies: Attack = {
  name: 'bodies',
  summary: 'mutated JSON, YAML, protobuf and patches to every verb that takes a body',
  run(context) {
    const { random, site } = context;
    const path = site.resource.path.replace('{ns}', ATTACKED);
    const seeds = [
      ...['json', 'yaml', 'json-patch', 'protobuf-envelope'].flatMap(corpusOf),
      Buffer.from(JSON.stringify(site.resource.body('fuzzed', 10))),
      Buffer.from('k8s\0\n\x0f\n\x02v1\x12\tConfigMap\x12\x05\n\x03\n\x01a'),
    ];
    const tokens = targets
      .flatMap((target) => target.tokens.slice(0, 30))
      .map((one) => Buffer.from(one));
    return inLanes(context, () => {
      const method = random.pick(['POST', 'PUT', 'PATCH', 'PATCH', 'DELETE']);
      return {
        method,
        path: `${path}${method === 'POST' ? '' : '/fuzzed'}?dryRun=All&fieldManager=x`,
        body: mutate({ random, pool: seeds, tokens, bytesMax: BODY_BYTES }),
        headers: { 'content-type': random.pick(CONTENT_TYPES) },
      };
    });
  },
};

export const selectors: Attack = {
  name: 'selectors',
  summary: 'mutated selectors, continue tokens, versions, headers and targets of lists',
  run(context) {
    const { random, site } = context;
    const path = site.resource.path.replace('{ns}', ATTACKED);
    const seeds = ['labels', 'fields', 'continue-tokens', 'accepts', 'times'].flatMap(corpusOf);
    const tokens = [
      '%00',
      '%',
      '&',
      '=',
      ';',
      '__proto__',
      '../',
      '%2f',
      'a'.repeat(1000),
      '\u202e',
    ].map((one) => Buffer.from(one));
    const names = [
      'labelSelector',
      'fieldSelector',
      'continue',
      'resourceVersion',
      'resourceVersionMatch',
      'limit',
      'timeoutSeconds',
      'pretty',
      'dryRun',
      'propagationPolicy',
      'gracePeriodSeconds',
      '__proto__',
    ];
    return inLanes(context, () => {
      const text = mutate({ random, pool: seeds, tokens, bytesMax: 2000 }).toString('latin1');
      const query = random.chance(0.8)
        ? encodeURIComponent(text)
        : encodeURI(text).replace(/[#\\ ]/g, '');
      return {
        method: random.pick(['GET', 'GET', 'GET', 'DELETE', 'HEAD']),
        path: `${path}?${random.pick(names)}=${query}&dryRun=All`,
        headers: { accept: random.chance(0.3) ? text.replace(/[^\x20-\x7e]/g, '') : '*/*' },
      };
    });
  },
};

type Request = Omit<Sending, 'as'>;

async function inLanes(context: AttackContext, next: () => Request): Promise<AttackResult> {
  const { site, hasTime, random } = context;
  const findings = new Findings();
  let sent = 0;
  const lane = async (): Promise<void> => {
    while (hasTime()) {
      sent += 1;
      const request = {
        ...next(),
        as: 'attacker',
        http: random.chance(0.5) ? '2' : '1.1',
      } as const;
      try {
        const { status, body } = await send(site, { ...request, timeoutMs: 10_000 });
        const isOwn = status >= 500 && !/etcdserver|timed out/.test(body);
        if (isOwn)
          findings.add(
            `${status} for ${request.method} ${request.path.slice(0, 200)}: ${body.slice(0, 200)}`,
          );
      } catch (error) {
        if (!site.hasEnded())
          findings.add(
            `no response to ${request.method} over HTTP/${request.http}: ${String(error).slice(-100)}`,
          );
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { sent, findings: findings.lines };
}
