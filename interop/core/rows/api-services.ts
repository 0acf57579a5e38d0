/** APIServices: the server of a group version. */
import type { JsonObject } from '../../differential/json.ts';
import type { Row, RowGroup } from '../../differential/row.ts';
import { APIService } from '../kinds.ts';
import { everyKind } from './every-kind.ts';
import {
  apply,
  collection,
  creates,
  get,
  given,
  type More,
  object,
  patch,
  pathOf,
  post,
  put,
  ROW_LABEL,
  row,
  TABLE,
  updates,
  watch,
} from './words.ts';

const priorities: JsonObject = { groupPriorityMinimum: 2000, versionPriority: 200 };
/** Served by the server itself: its status is never written again, so rows may ask for it. */
const local = (more: JsonObject = {}): JsonObject => ({ spec: { ...priorities, ...more } });
/** Served by another: a controller writes the status soon, so rows ask only for the answer of a write. */
const remote = (more: JsonObject = {}): JsonObject =>
  local({ service: { namespace: '{ns}', name: 'api' }, ...more });
const service = (more: JsonObject): JsonObject =>
  local({ service: { namespace: '{ns}', name: 'api', ...more } });
const named = (name: string, spec: JsonObject): JsonObject => ({
  ...local(spec),
  metadata: { name },
});

/** "not PEM": what it is, is not looked at. */
const CA_BUNDLE = 'bm90IFBFTQ==';
const available: JsonObject = {
  type: 'Available',
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const extra: JsonObject = { type: 'Extra', status: 'False', reason: 'Why', message: 'not yet' };
const conditions = (...all: JsonObject[]): JsonObject => ({ status: { conditions: all } });
const STATUS = `${pathOf(APIService)}/status`;
const ofStatus = { path: STATUS };
const asTable = { headers: { accept: TABLE } };

export const apiServices: RowGroup = {
  name: 'apiservices',
  rows: [
    ...everyKind(APIService, {
      minimal: local(),
      full: { ...local(), metadata: { annotations: { a: 'b' } }, ...conditions(extra) },
      changed: local({ groupPriorityMinimum: 2001 }),
      merge: { spec: { versionPriority: 201 } },
      json: [{ op: 'replace', path: '/spec/groupPriorityMinimum', value: 3000 }],
      strategic: { spec: { versionPriority: 202 }, metadata: { labels: { x: 'y' } } },
      applied: local({ versionPriority: 203 }),
      wrongTypes: {
        'with a priority that is a text': local({ versionPriority: 'high' }),
        'with a priority that is no integer': local({ versionPriority: 1.5 }),
        'with a priority that is too large for its type': local({
          groupPriorityMinimum: 2_147_483_648,
        }),
        'with a port that is a text': service({ port: 'https' }),
        'with a service that is a text': local({ service: 'ns/name' }),
        'with a bundle that is not base64': remote({ caBundle: '*' }),
        'with a spec that is a list': { spec: [] },
      },
    }).filter(({ name }) => !name.endsWith('with a generated name')),
    // A name that says what the spec says cannot be generated; this prefix leaves room for all of what is added.
    row(
      APIService,
      'create',
      'with a generated name that cannot be right',
      post(APIService, {
        ...object(APIService, local()),
        metadata: { generateName: '{ns}-', labels: ROW_LABEL },
      }),
    ),
    ...creates(APIService, {
      'of another server, with its defaults': remote(),
      'of another server, every field': remote({
        service: { namespace: '{ns}', name: 'api', port: 7443 },
        caBundle: CA_BUNDLE,
        insecureSkipTLSVerify: false,
      }),
      'of another server, whoever it is': remote({ insecureSkipTLSVerify: true }),
      'of another server, whoever it is, with a bundle': remote({
        insecureSkipTLSVerify: true,
        caBundle: CA_BUNDLE,
      }),
      'of another server, whoever it is, with an empty bundle': remote({
        insecureSkipTLSVerify: true,
        caBundle: '',
      }),
      'with a status, of another server': { ...remote(), ...conditions(available, extra) },
      'with an empty service': local({ service: {} }),
      'with no service': local({ service: null }),
      'with a service without a namespace': service({ namespace: '' }),
      'with a service without a name': service({ name: '' }),
      'with a service whose names are strange': service({ namespace: 'Bad/NS', name: '%' }),
      'with port 0': service({ port: 0 }),
      'with a negative port': service({ port: -1 }),
      'with a port that is too high': service({ port: 65_536 }),
      'with the highest port': service({ port: 65_535 }),
      'with a bundle': local({ caBundle: CA_BUNDLE }),
      'whoever it is': local({ insecureSkipTLSVerify: true }),
      'whoever it is, with a bundle': local({ insecureSkipTLSVerify: true, caBundle: CA_BUNDLE }),
      'without a spec': {},
      'with an empty spec': { spec: {} },
      'without priorities': { spec: { groupPriorityMinimum: 0, versionPriority: 0 } },
      'with negative priorities': local({ groupPriorityMinimum: -1, versionPriority: -1 }),
      'with the highest priorities': local({ groupPriorityMinimum: 20_000, versionPriority: 1000 }),
      'with priorities that are too high': local({
        groupPriorityMinimum: 20_001,
        versionPriority: 1001,
      }),
      'with the name of another': named('{ns}-b.rows.example.com', {}),
      'with a name without a group': named('{ns}-a', {}),
      'with a name that is two dots': named('..', {}),
      'with a name with a percent sign': named('{ns}-a%.rows.example.com', {}),
      'of no group': named('{ns}-a.', { group: '' }),
      'of no group, version v2': named('v2.', { group: '', version: 'v2' }),
      'of no version': named('.rows.example.com', { version: '' }),
      'of a group in upper case': named('{ns}-a.Rows', { group: 'Rows' }),
      'of a group that is too long': named(`{ns}-a.${'g'.repeat(254)}`, { group: 'g'.repeat(254) }),
      'of a version that begins with a digit': named('1{ns}.rows.example.com', {
        version: '1{ns}',
      }),
      'of a version with a dot': named('{ns}.a.rows.example.com', { version: '{ns}.a' }),
      'of a version that is too long': named(`${'v'.repeat(64)}.rows.example.com`, {
        version: 'v'.repeat(64),
      }),
      'with everything wrong': {
        spec: {
          group: 'Bad_Group',
          version: '9',
          groupPriorityMinimum: 0,
          versionPriority: 2000,
          insecureSkipTLSVerify: true,
          caBundle: CA_BUNDLE,
          service: { port: 70_000 },
        },
      },
      'with the priority of old': local({ priority: 100 }),
    }),
    row(
      APIService,
      'create',
      'with an unknown field of the spec, refused',
      post(APIService, object(APIService, remote({ strange: 1, priority: 2 })), {
        query: { fieldValidation: 'Strict' },
      }),
    ),
    row(
      APIService,
      'create',
      'of another server as a Table',
      post(APIService, object(APIService, remote()), asTable),
    ),
    ...updates(APIService, {
      'to another server': { from: local(), to: remote({ insecureSkipTLSVerify: true }) },
      'with a status': { from: local(), to: { ...local(), ...conditions(extra) } },
      'to a bundle': { from: local(), to: local({ caBundle: CA_BUNDLE }) },
      'to another version': { from: local(), to: local({ version: 'v9' }) },
      'to no spec': { from: local(), to: {} },
    }),
    row(
      APIService,
      'patch',
      'of the status, by the way',
      given(APIService, local()),
      patch(APIService, 'merge', conditions(extra)),
      get(APIService),
    ),
    row(
      APIService,
      'patch',
      'to another server',
      given(APIService, local()),
      patch(APIService, 'merge', { spec: { service: { namespace: '{ns}', name: 'api' } } }),
    ),
    row(
      APIService,
      'patch',
      'to a bad port',
      given(APIService, local()),
      patch(APIService, 'merge', { spec: { service: { namespace: 'a', name: 'b', port: 0 } } }),
    ),
    row(
      APIService,
      'patch',
      'apply for another server',
      apply(APIService, remote({ caBundle: CA_BUNDLE })),
    ),
    ...statusRows(),
    row(
      APIService,
      'watch',
      'of another server that is not there, and how a Table shows it',
      given(APIService, local()),
      watch(APIService, { during: [given(APIService, remote(), 'b')], events: 2 }),
      get(APIService, { ...asTable, path: pathOf(APIService, 'b') }),
    ),
  ],
};

function statusRows(): Row[] {
  const before = given(APIService, local());
  const putStatus = (fields: JsonObject, more: More = {}) =>
    put(APIService, fields, { ...ofStatus, ...more });
  return [
    row(APIService, 'get', 'the status', before, get(APIService, ofStatus)),
    row(APIService, 'get', 'the status of a missing object', get(APIService, ofStatus)),
    row(
      APIService,
      'update',
      'as a Table',
      before,
      put(APIService, local({ versionPriority: 3 }), asTable),
    ),
    row(
      APIService,
      'update',
      'of the status, with another condition',
      before,
      putStatus({ ...local(), ...conditions(available, extra) }),
      get(APIService),
    ),
    row(
      APIService,
      'update',
      'of the status, with everything else changed',
      before,
      putStatus({
        ...remote({ versionPriority: 1 }),
        metadata: {
          labels: { x: 'y' },
          annotations: { a: 'b' },
          finalizers: ['example.com/hold'],
          ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: '1' }],
        },
        ...conditions(available),
      }),
    ),
    row(
      APIService,
      'update',
      'of the status, with a spec that is wrong',
      before,
      putStatus({ spec: { versionPriority: -1 }, ...conditions(available) }),
    ),
    row(
      APIService,
      'update',
      'of the status, with conditions that are neither',
      before,
      putStatus({
        ...local(),
        ...conditions({ type: 'A', status: 'Maybe' }, { type: 'B', status: 'true' }, { type: 'C' }),
      }),
    ),
    row(
      APIService,
      'update',
      'of the status, with the same condition twice',
      before,
      putStatus({ ...local(), ...conditions(available, extra, extra) }),
    ),
    row(
      APIService,
      'update',
      'of the status, to none',
      before,
      putStatus({ ...local(), status: {} }),
    ),
    row(
      APIService,
      'update',
      'of the status, without a resourceVersion',
      before,
      put(APIService, {}, { ...ofStatus, body: object(APIService, local()) }),
    ),
    row(
      APIService,
      'update',
      'of the status, of a missing object',
      put(APIService, {}, { ...ofStatus, body: object(APIService, local()) }),
    ),
    row(
      APIService,
      'patch',
      'of the status, merge',
      before,
      patch(APIService, 'merge', conditions(available, extra), ofStatus),
    ),
    row(
      APIService,
      'patch',
      'of the status, strategic',
      before,
      patch(APIService, 'strategic', conditions(extra), ofStatus),
      get(APIService),
    ),
    row(
      APIService,
      'patch',
      'of the status, JSON',
      before,
      patch(APIService, 'json', [{ op: 'add', path: '/status/conditions/-', value: extra }], {
        ...ofStatus,
      }),
    ),
    row(
      APIService,
      'patch',
      'of the status, apply',
      before,
      apply(APIService, conditions({ ...extra, lastTransitionTime: null }), ofStatus),
    ),
    row(
      APIService,
      'patch',
      'of the status, of a missing object',
      patch(APIService, 'merge', conditions(extra), ofStatus),
    ),
    row(
      APIService,
      'patch',
      'of the status, apply to a missing object',
      apply(APIService, conditions(extra), ofStatus),
    ),
    row(APIService, 'delete', 'of the status', before, {
      name: 'delete',
      method: 'DELETE',
      path: STATUS,
    }),
    ...[
      'v1.',
      'v1.rbac.authorization.k8s.io',
      'v1.flowcontrol.apiserver.k8s.io',
      'v1.apiregistration.k8s.io',
    ].map((name) =>
      row(APIService, 'get', `${name}, which the server serves itself`, {
        name: 'get',
        path: `${collection(APIService)}/${name}`,
      }),
    ),
  ];
}
