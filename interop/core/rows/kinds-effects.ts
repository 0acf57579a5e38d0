/** Effects of writes of the built-in kinds beyond the object itself. */
import type { JsonObject } from '../../differential/json.ts';
import type { RequestStep, RowGroup } from '../../differential/row.ts';
import {
  ClusterRole,
  ConfigMap,
  CustomResourceDefinition,
  EndpointSlice,
  type Kind,
  Namespace,
  Role,
  RoleBinding,
  Secret,
} from '../kinds.ts';
import { storedKinds } from '../stored-kinds.ts';
import { EVE_CERTIFICATE } from './certificate-fixtures.ts';
import { ALICE, asEve, granted, grantedEve, RBAC, rule } from './policy.ts';
import { sampledKinds } from './sampled-kinds.ts';
import { storedSamples } from './stored-samples.ts';
import {
  apply,
  creates,
  feature,
  get,
  given,
  type More,
  nameOf,
  object,
  patch,
  pathOf,
  post,
  put,
  remove,
  row,
} from './words.ts';

const escalation = feature('escalation');
const asAlice: More = { as: 'alice' };
const writes = ['create', 'update', 'patch'];
const notHeld = rule(['secrets'], ['get']);
const NEW = { resourceVersion: '' };

/** May write roles and bindings, and do one thing more to those of one name. */
const writer = (resource: string, verb: string, name: string): JsonObject[] => [
  rule(['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'], writes, {
    apiGroups: [RBAC],
  }),
  rule([resource], [verb], { apiGroups: [RBAC], resourceNames: [name] }),
];
const binding: JsonObject = {
  metadata: NEW,
  roleRef: { apiGroup: RBAC, kind: 'Role', name: 'bound' },
  subjects: [ALICE],
};

const roleNames = [
  escalation(
    'a role that an update creates, by who may escalate that name',
    ...granted(ALICE, writer('roles', 'escalate', 'a')),
    put(Role, { metadata: NEW, rules: [notHeld] }, asAlice),
  ),
  escalation(
    'a role that an apply creates, by who may escalate that name',
    ...granted(ALICE, writer('roles', 'escalate', 'a')),
    apply(Role, { rules: [notHeld] }, asAlice),
  ),
  escalation(
    'a role that an update creates, by who may escalate another name',
    ...granted(ALICE, writer('roles', 'escalate', 'b')),
    put(Role, { metadata: NEW, rules: [notHeld] }, asAlice),
  ),
  escalation(
    'a role that is posted, by who may escalate that name',
    ...granted(ALICE, writer('roles', 'escalate', 'a')),
    post(Role, object(Role, { rules: [notHeld] }), asAlice),
  ),
  escalation(
    'a cluster role that an update creates, by who may escalate that name',
    ...grantedEve(writer('clusterroles', 'escalate', nameOf(ClusterRole, 'a'))),
    put(ClusterRole, { metadata: NEW, rules: [notHeld] }, asEve),
  ),
  escalation(
    'a cluster role that an apply creates, by who may escalate that name',
    ...grantedEve(writer('clusterroles', 'escalate', nameOf(ClusterRole, 'a'))),
    apply(
      ClusterRole,
      { rules: [notHeld] },
      {
        headers: { ...asEve.headers, 'content-type': 'application/apply-patch+yaml' },
      },
    ),
  ),
  escalation(
    'a binding that an update creates, by who may bind the role’s name',
    ...granted(ALICE, writer('roles', 'bind', 'bound')),
    given(Role, { rules: [notHeld] }, 'bound'),
    put(RoleBinding, binding, asAlice),
  ),
  escalation(
    'a binding that an update creates, by who may bind the binding’s name',
    ...granted(ALICE, writer('roles', 'bind', 'a')),
    given(Role, { rules: [notHeld] }, 'bound'),
    put(RoleBinding, binding, asAlice),
  ),
];

const HOLD = 'example.com/hold';
const deleted = (body: JsonObject, more: More = {}): RequestStep =>
  remove(Namespace, { body, ...more });
/** The finalizer of its spec is removed. */
const emptied: RequestStep = {
  name: 'finalize',
  method: 'PUT',
  path: `${pathOf(Namespace)}/finalize`,
  body: object(Namespace, { spec: { finalizers: [] } }),
};

const namespaceDeletion = [
  row(
    Namespace,
    'delete',
    'without orphans, in the old words',
    given(Namespace),
    deleted({ orphanDependents: false }),
    get(Namespace),
  ),
  row(
    Namespace,
    'delete',
    'with orphans, in the old words',
    given(Namespace),
    deleted({ orphanDependents: true }),
  ),
  row(
    Namespace,
    'delete',
    'in the background, of one that waits for its dependents',
    given(Namespace, { metadata: { finalizers: ['foregroundDeletion'] } }),
    deleted({ propagationPolicy: 'Background' }),
  ),
  row(
    Namespace,
    'delete',
    'again, with other policies, while its spec holds it',
    given(Namespace, { metadata: { finalizers: [HOLD] } }),
    remove(Namespace),
    deleted({ propagationPolicy: 'Foreground' }, { name: 'foreground' }),
    deleted({ propagationPolicy: 'Orphan' }, { name: 'orphan' }),
    deleted({ orphanDependents: false }, { name: 'old-words' }),
    get(Namespace),
  ),
  row(
    Namespace,
    'delete',
    'again, when only its metadata holds it',
    given(Namespace, { metadata: { finalizers: [HOLD] } }),
    remove(Namespace),
    emptied,
    remove(Namespace, { name: 'again' }),
    get(Namespace),
    deleted({ propagationPolicy: 'Foreground' }, { name: 'foreground' }),
    deleted({ orphanDependents: false }, { name: 'old-words' }),
  ),
];

const slice = (topology?: JsonObject): JsonObject => ({
  metadata: NEW,
  addressType: 'IPv4',
  endpoints: [{ addresses: ['192.0.2.1'], ...(topology && { deprecatedTopology: topology }) }],
  ports: [{ port: 80 }],
});
const HOST = { 'kubernetes.io/hostname': 'n' };

const sliceGenerations = [
  row(
    EndpointSlice,
    'update',
    'with a topology, which counts although it is dropped',
    given(EndpointSlice, slice()),
    put(EndpointSlice, slice(HOST)),
    put(EndpointSlice, slice(HOST), { name: 'again' }),
    put(EndpointSlice, slice({}), { name: 'empty' }),
    put(EndpointSlice, slice(), { name: 'none' }),
  ),
  row(
    EndpointSlice,
    'patch',
    'with a topology, which counts although it is dropped',
    given(EndpointSlice, slice()),
    patch(EndpointSlice, 'json', [
      { op: 'add', path: '/endpoints/0/deprecatedTopology', value: HOST },
    ]),
  ),
];

const immutable = (more: JsonObject): JsonObject => ({ metadata: NEW, immutable: true, ...more });

const emptyMaps = [ConfigMap, Secret].flatMap((kind) => [
  row(
    kind,
    'update',
    'of an immutable one without data to empty maps',
    given(kind, immutable({})),
    put(kind, immutable({ data: {} })),
    put(kind, immutable({ data: null }), { name: 'null' }),
    put(kind, immutable({ binaryData: {} }), { name: 'binary' }),
  ),
  row(
    kind,
    'patch',
    'of an immutable one without data to empty maps',
    given(kind, immutable({})),
    patch(kind, 'merge', { data: {} }),
    patch(kind, 'merge', { binaryData: {} }, { name: 'binary' }),
    patch(
      kind,
      'strategic',
      { data: {} },
      {
        name: 'strategic',
      },
    ),
    apply(kind, { immutable: true, data: {} }),
  ),
  row(
    kind,
    'update',
    'of an immutable one’s data to none',
    given(kind, immutable({ data: { a: 'MQ==' } })),
    put(kind, immutable({ data: {} })),
    put(kind, immutable({}), { name: 'absent' }),
  ),
]);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const pem = (type: string, content: string): string =>
  `-----BEGIN ${type}-----\n${content}\n-----END ${type}-----\n`;
const NO_KEY = 'MIIB';
const ENCRYPTED = `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AAAA\n\n${NO_KEY}`;
const keyPair = (key: string, certificate = EVE_CERTIFICATE): JsonObject => ({
  type: 'kubernetes.io/tls',
  data: { 'tls.crt': certificate, 'tls.key': base64(key) },
});

const keyPairs = creates(Secret, {
  'of type tls with an encrypted key': keyPair(pem('RSA PRIVATE KEY', ENCRYPTED)),
  'of type tls with a key that is none': keyPair(pem('PRIVATE KEY', NO_KEY)),
  'of type tls with a key behind something else': keyPair(
    `said\n${pem('EC PARAMETERS', 'BggqhkjOPQMBBw==')}${pem('EC PRIVATE KEY', NO_KEY)}`,
  ),
  'of type tls with a key that is no base64': keyPair(pem('PRIVATE KEY', 'MII-')),
  'of type tls with a key of another name': keyPair(pem('MYPRIVATE KEY', NO_KEY)),
  'of type tls with a key that begins in a line': keyPair(`said ${pem('PRIVATE KEY', NO_KEY)}`),
  'of type tls with a certificate in the place of the key': keyPair(pem('CERTIFICATE', NO_KEY)),
  'of type tls with a key in the place of the certificate': keyPair(
    '',
    base64(pem('RSA PRIVATE KEY', ENCRYPTED)),
  ),
});

const OTHER_UID = { uid: '11111111-2222-4333-8444-555555555555' };
const sampled: readonly (readonly [Kind, JsonObject])[] = [
  ...sampledKinds.map(({ kind, sample }) => [kind, sample.minimal] as const),
  ...storedKinds
    .filter(({ plural }) => plural !== 'pods') // they need an account
    .map((kind) => [kind, storedSamples[kind.plural]?.minimal ?? {}] as const),
  [CustomResourceDefinition, { spec: {} }],
];

/** A refusal names the key of the object. */
const keys = sampled.map(([kind, minimal]) =>
  row(
    kind,
    'update',
    'meant for another uid',
    given(kind, minimal),
    put(kind, { ...minimal, metadata: OTHER_UID }),
  ),
);

const TRACKING =
  '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';

const tokenTracking = [
  row(ConfigMap, 'get', 'since when legacy tokens are tracked', {
    name: 'get',
    path: TRACKING,
    setup: true, // the day and its age are never the same
    until: 200,
  }),
  row(
    ConfigMap,
    'patch',
    'since when legacy tokens are tracked, which must be a date',
    patch(ConfigMap, 'merge', { data: { since: 'never' } }, { path: TRACKING, setup: true }),
    get(ConfigMap, { path: TRACKING, setup: true, until: { lacks: ['never'] } }),
  ),
];

export const kindsEffects: RowGroup = {
  name: 'kinds-effects',
  rows: [
    ...roleNames,
    ...namespaceDeletion,
    ...sliceGenerations,
    ...emptyMaps,
    ...keyPairs,
    ...keys,
    ...tokenTracking,
  ],
};
