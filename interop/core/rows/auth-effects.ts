/** Effects of permissions and service accounts on other requests. */
import type { JsonObject } from '../../differential/json.ts';
import type { RowGroup, Step } from '../../differential/row.ts';
import { ServiceAccount } from '../kinds.ts';
import { ask, below, givenStatus, MAIN, Node, Pod, podOf } from './pods-words.ts';
import { ALICE, granted, rule } from './policy.ts';
import { feature, given, object, patch, pathOf, post } from './words.ts';

const STREAMS = ['exec', 'attach', 'portforward'] as const;
const row = feature('authorization');
const mayRead = (stream: string): Step[] => granted(ALICE, [rule([`pods/${stream}`], ['get'])]);

const PULL = [{ name: 'pull' }, { name: 'other' }];
const KEY = (name: string): JsonObject => ({
  name: 'KEY',
  valueFrom: { secretKeyRef: { name, key: 'k' } },
});
const FROM = (name: string): JsonObject => ({ secretRef: { name } });
const SECRET_VOLUME = (secretName: string): JsonObject => ({
  volumes: [{ name: 'v', secret: { secretName } }],
});

const runner = (fields: JsonObject = {}): Step => given(ServiceAccount, fields, 'runner');
const create = (more: JsonObject, metadata: JsonObject = {}): Step =>
  post(Pod, object(Pod, { metadata, ...podOf(more) }));

/** An account whose pods may only use the Secrets that it names. */
const strict = (enforced = 'true'): Step =>
  runner({
    metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': enforced } },
    secrets: [{ name: 'mine' }],
    imagePullSecrets: [{ name: 'pull' }],
  });

const MIRROR: JsonObject = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
const onNode: Step[] = [given(Node), givenStatus(Node, {})];
/** As a kubelet makes it: of a pod that only its node has. */
const mirror = (more: JsonObject): Step =>
  create({ serviceAccountName: '', nodeName: '{ns}-a', ...more }, MIRROR);

const REFUSED: Readonly<Record<string, JsonObject>> = {
  'a volume of another Secret': SECRET_VOLUME('yours'),
  'a variable of another Secret': { containers: [{ ...MAIN, env: [KEY('mine'), KEY('yours')] }] },
  'all variables of another Secret': { containers: [{ ...MAIN, envFrom: [FROM('yours')] }] },
  'an init container with a variable of another Secret': {
    initContainers: [{ name: 'first', image: 'first', env: [KEY('yours')] }],
  },
  'an init container with all variables of another Secret': {
    initContainers: [{ name: 'first', image: 'first', envFrom: [FROM('yours')] }],
  },
  'another Secret for images': { imagePullSecrets: [{ name: 'pull' }, { name: 'yours' }] },
};

export const authEffects: RowGroup = {
  name: 'auth-effects',
  rows: [
    ...STREAMS.map((stream) =>
      row(
        `${stream} in a missing pod by somebody who may only read`,
        ...mayRead(stream),
        ask(stream, { query: { command: 'ls', stdout: '1' }, as: 'alice' }),
      ),
    ),
    row(
      'portforward of what is no number by somebody who may only read',
      ...mayRead('portforward'),
      ask('portforward', { query: { ports: 'x' }, as: 'alice' }),
    ),
    below(
      'create',
      'one without Secrets for images has those of its account',
      runner({ imagePullSecrets: PULL }),
      create({}),
    ),
    below(
      'create',
      'one with a Secret for images keeps it',
      runner({ imagePullSecrets: PULL }),
      create({ imagePullSecrets: [{ name: 'own' }] }),
    ),
    ...Object.entries(REFUSED).map(([name, more]) =>
      below('create', `${name} than the account has`, strict(), create(more)),
    ),
    below(
      'create',
      'what the account has may be used',
      strict('1'),
      create({
        ...SECRET_VOLUME('mine'),
        containers: [{ ...MAIN, env: [KEY('mine')], envFrom: [FROM('mine')] }],
      }),
    ),
    below(
      'create',
      'an account that does not insist',
      strict('yes'),
      create(SECRET_VOLUME('yours')),
    ),
    below(
      'update',
      'a container for debugging with a Secret that the account does not have',
      strict(),
      given(Pod, podOf()),
      patch(
        Pod,
        'strategic',
        { spec: { ephemeralContainers: [{ name: 'd', image: 'd', env: [KEY('yours')] }] } },
        { path: `${pathOf(Pod)}/ephemeralcontainers` },
      ),
    ),
    below(
      'update',
      'a container for debugging with all of a Secret that the account does not have',
      strict(),
      given(Pod, podOf()),
      patch(
        Pod,
        'strategic',
        { spec: { ephemeralContainers: [{ name: 'd', image: 'd', envFrom: [FROM('yours')] }] } },
        { path: `${pathOf(Pod)}/ephemeralcontainers` },
      ),
    ),
    below('create', 'a mirror', ...onNode, mirror({})),
    below(
      'create',
      'a mirror with an account',
      ...onNode,
      mirror({ serviceAccountName: 'runner' }),
    ),
    below('create', 'a mirror with a Secret', ...onNode, mirror(SECRET_VOLUME('mine'))),
    below(
      'create',
      'a mirror with a variable of a Secret',
      ...onNode,
      mirror({ containers: [{ ...MAIN, env: [KEY('mine')] }] }),
    ),
    below(
      'create',
      'a mirror with a token',
      ...onNode,
      mirror({
        volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }],
      }),
    ),
    ...['system-node-critical', 'system-cluster-critical'].flatMap((name) => {
      const path = `/apis/scheduling.k8s.io/v1/priorityclasses/${name}`;
      return [
        {
          name: `priorityclasses get: ${name} is there from the start`,
          covers: { kind: 'priorityclasses', verb: 'get' as const },
          steps: [{ name: 'get', path, until: 200 }],
        },
        {
          name: `priorityclasses delete: ${name} stays`,
          covers: { kind: 'priorityclasses', verb: 'delete' as const },
          steps: [{ name: 'delete', method: 'DELETE', path }],
        },
      ];
    }),
  ],
};
