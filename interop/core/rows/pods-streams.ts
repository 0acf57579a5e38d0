/** Logs, commands and ports of pods, without a kubelet. */
import type { RowGroup, Step } from '../../differential/row.ts';
import { Role, RoleBinding } from '../kinds.ts';
import { ask, below, givenPod, givenStatus, MAIN, Node } from './pods-words.ts';
import { given } from './words.ts';

const TWO = { containers: [MAIN, { name: 'helper', image: 'helper' }] };
const nodeName = '{ns}-a';
const onNode = (...more: Step[]) => [
  given(Node),
  ...more,
  { ...pod({ nodeName }), name: 'given-pod' },
];
const pod = (more: Parameters<typeof givenPod>[0]) => givenPod(more).at(-1) as Step & object;

/** Once the rights are known, the refusal gives no reason. */
const UNEXPLAINED = 'is forbidden: ",';
/** Rights to begin a connection by GET alone, which is not enough. */
const mayRead = (stream: string): Step[] => [
  given(
    Role,
    { rules: [{ apiGroups: [''], resources: [`pods/${stream}`], verbs: ['get'] }] },
    'reader',
  ),
  given(
    RoleBinding,
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'User', name: 'alice' }],
    },
    'alice',
  ),
];

const STREAMS = ['exec', 'attach', 'portforward'] as const;
const log = (query: Record<string, string> = {}) => ask('log', { query });
const COMMAND = { command: 'ls', stdout: '1' };

export const podStreams: RowGroup = {
  name: 'pods-streams',
  rows: [
    below('get', 'the log of a pod that waits', ...givenPod(), log()),
    below(
      'get',
      'the log of a container that is not there',
      ...givenPod(),
      log({ container: 'x' }),
    ),
    below('get', 'the log of one container of two', ...givenPod(TWO), log({ container: 'helper' })),
    below('get', 'the log of any container of two', ...givenPod(TWO), log()),
    below('get', 'the log of a missing pod', log()),
    below('get', 'the log of a pod on a missing node', ...givenPod({ nodeName: 'nowhere' }), log()),
    below(
      'get',
      'the log of a pod on a node without addresses',
      givenPod()[0] as Step,
      ...onNode(),
      log(),
    ),
    below('get', 'the log from before the beginning', ...givenPod(), log({ tailLines: '-1' })),
    below('get', 'the log of no time', ...givenPod(), log({ sinceSeconds: '0' })),
    below('get', 'the log of no bytes', ...givenPod(), log({ limitBytes: '0' })),
    below(
      'get',
      'the log since two times',
      ...givenPod(),
      log({ sinceSeconds: '1', sinceTime: '2020-01-01T00:00:00Z' }),
    ),
    below('get', 'the log of what is no number', ...givenPod(), log({ tailLines: 'many' })),
    below('get', 'the log of an unknown stream', ...givenPod(), log({ stream: 'Sideways' })),
    below(
      'get',
      'the log of one stream, from its end',
      ...givenPod(),
      log({ stream: 'Stdout', tailLines: '5' }),
    ),
    below('create', 'a log', ...givenPod(), ask('log', { method: 'POST', body: {} })),
    ...STREAMS.flatMap((stream) => [
      below('get', `${stream} in a pod that waits`, ...givenPod(), ask(stream, { query: COMMAND })),
      below(
        'create',
        `${stream} in a pod that waits`,
        ...givenPod(),
        ask(stream, { method: 'POST', query: COMMAND }),
      ),
      below('get', `${stream} in a missing pod`, ask(stream, { query: COMMAND })),
      below(
        'get',
        `${stream} in a pod on a missing node`,
        ...givenPod({ nodeName: 'nowhere' }),
        ask(stream, { query: COMMAND }),
      ),
      below(
        'get',
        `${stream} in a pod on a node without addresses`,
        givenPod()[0] as Step,
        ...onNode(),
        ask(stream, { query: COMMAND }),
      ),
      below(
        'get',
        `${stream} without another protocol`,
        givenPod()[0] as Step,
        ...onNode(givenStatus(Node, { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] })),
        ask(stream, { query: COMMAND }),
      ),
      below('update', stream, ...givenPod(), ask(stream, { method: 'PUT', body: {} })),
      below(
        'get',
        `${stream} in a pod, as bob`,
        ...givenPod(),
        ask(stream, { query: COMMAND, as: 'bob' }),
      ),
    ]),
    ...STREAMS.map((stream) =>
      below(
        'get',
        `${stream} by somebody who may only read`,
        ...givenPod(),
        ...mayRead(stream),
        ask(stream, { query: COMMAND, as: 'alice', until: UNEXPLAINED }),
      ),
    ),
    below(
      'get',
      'exec in a container that is not there',
      ...givenPod(),
      ask('exec', { query: { ...COMMAND, container: 'x' } }),
    ),
    below('get', 'exec in any container of two', ...givenPod(TWO), ask('exec', { query: COMMAND })),
    below(
      'get',
      'exec of what is no truth',
      ...givenPod(),
      ask('exec', { query: { ...COMMAND, stdin: 'perhaps' } }),
    ),
    below(
      'get',
      'portforward of what is no number',
      ...givenPod(),
      ask('portforward', { query: { ports: 'x' } }),
    ),
    below('get', 'something that pods do not have', ...givenPod(), ask('nothing')),
    below('get', 'a binding', ...givenPod(), ask('binding')),
    below('get', 'an eviction', ...givenPod(), ask('eviction')),
  ],
};
