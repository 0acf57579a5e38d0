/** Definitions that change and go while their objects are there. */
import type { Row, RowGroup } from '../../differential/row.ts';
import {
  apply,
  customRow,
  DEFINITION,
  DEFINITIONS,
  defined,
  definition,
  GROUP,
  get,
  given,
  inGroup,
  list,
  patch,
  post,
  redefine,
  thing,
  things,
  undefine,
  watch,
} from './custom-resources-words.ts';
import { TABLE } from './words.ts';

const small = { spec: { size: 1 } };
const held = { metadata: { finalizers: ['example.com/hold'] }, ...small };
const SCHEMA = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties';
const late = [{ op: 'add', path: `${SCHEMA}/late`, value: { type: 'string' } }];

const changing: Row[] = [
  customRow(
    'changes: a field that is known from now on',
    ...defined(),
    given(small),
    redefine(late),
    patch('merge', { spec: { late: 'x' } }, { until: '"late":"x"' }),
    get(),
  ),
  customRow(
    'changes: end a watch',
    ...defined(),
    given(small),
    watch('closed', [redefine(late), get({ name: 'settled', setup: true })]),
    list({ name: 'after', until: 200 }),
  ),
  customRow(
    'changes: of columns',
    ...defined(),
    given(small),
    redefine([
      {
        op: 'add',
        path: '/spec/versions/0/additionalPrinterColumns',
        value: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
      },
    ]),
    list({ headers: { accept: TABLE }, until: '"Size"' }),
  ),
  customRow(
    'changes: of subresources',
    ...defined(),
    given(small),
    get({ name: 'before', path: `${things()}/a/status` }),
    // The original fails as long as it knows the subresource and does not serve it yet: until watches end.
    watch('closed', [
      redefine([{ op: 'add', path: '/spec/versions/0/subresources', value: { status: {} } }]),
    ]),
    get({ path: `${things()}/a/status`, until: 200 }),
    patch('merge', { status: { phase: 'x' } }, { name: 'ignored' }),
  ),
  customRow(
    'changes: of short names',
    ...inGroup('short', (group) => [
      { name: 'before', path: `/apis/${group}/v1`, until: '"Thing"' },
      {
        ...redefine([{ op: 'add', path: '/spec/names/shortNames', value: ['tt'] }]),
        path: `${DEFINITIONS}/things.${group}`,
      },
      { name: 'after', path: `/apis/${group}/v1`, until: '"tt"' },
    ]),
  ),
  customRow(
    'changes: a version more',
    ...defined(),
    given(small),
    redefine([
      {
        op: 'add',
        path: '/spec/versions/-',
        value: {
          name: 'v2',
          served: true,
          storage: false,
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      },
    ]),
    get({ path: `${things('v2')}/a`, until: 200 }),
  ),
  customRow(
    'changes: labels alone do not end a watch',
    ...defined(),
    given(small),
    watch(1, [
      { ...redefine([{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]) },
      given(small, 'b'),
    ]),
  ),
];

const going: Row[] = [
  customRow(
    'goes: with its objects',
    ...defined(),
    given(small),
    given(small, 'b'),
    undefine(),
    { name: 'gone', path: DEFINITION, until: 404, setup: true },
    list({ until: 404 }),
    get({ name: 'object' }),
    { name: 'again', method: 'POST', path: DEFINITIONS, body: definition(), setup: true },
    list({ name: 'empty', until: 200 }),
  ),
  customRow(
    'goes: and says so to watches',
    ...defined(),
    given(small),
    watch('closed', [undefine(), { name: 'gone', path: DEFINITION, until: 404 }]),
  ),
  customRow(
    'goes: when the last finalizer has gone',
    ...defined(),
    given(held),
    undefine(),
    { name: 'waits', path: DEFINITION, until: 'InstanceDeletionInProgress' },
    get({ until: 'deletionTimestamp' }),
    patch('merge', { metadata: { finalizers: null } }, { name: 'let-go', setup: true }),
    { name: 'gone', path: DEFINITION, until: 404 },
  ),
  customRow(
    'goes: what it says meanwhile',
    ...defined(),
    given(held),
    undefine(),
    { name: 'waits', path: DEFINITION, until: 'InstanceDeletionInProgress' },
    patch('merge', { metadata: { finalizers: null } }, { name: 'let-go', setup: true }),
    { name: 'gone', path: DEFINITION, until: 404, setup: true },
  ),
  customRow(
    'goes: while it serves nothing',
    ...defined(),
    given(small),
    redefine([{ op: 'replace', path: '/spec/versions/0/served', value: false }]),
    list({ name: 'unserved', until: 404 }),
    undefine(),
    { name: 'gone', path: DEFINITION, until: 404, setup: true },
    { name: 'again', method: 'POST', path: DEFINITIONS, body: definition(), setup: true },
    list({ name: 'empty', until: 200 }),
  ),
  customRow(
    'goes: and takes nothing new',
    ...defined(),
    given(held),
    undefine(),
    { name: 'waits', path: DEFINITION, until: 'InstanceDeletionInProgress' },
    get({ name: 'marked', until: 'deletionTimestamp' }),
    post(small, { body: thing(small, 'b'), until: 403 }),
    apply(small, { path: `${things()}/c`, body: thing(small, 'c') }),
    patch('merge', { spec: { size: 2 } }),
    list(),
    patch('merge', { metadata: { finalizers: null } }, { name: 'let-go', setup: true }),
    { name: 'gone', path: DEFINITION, until: 404, setup: true },
  ),
];

const conflicting = definition({ names: { plural: 'others', kind: 'Thing' } });
const naming: Row[] = [
  customRow(
    'names: that somebody has are not served',
    ...defined(),
    { name: 'other', method: 'POST', path: DEFINITIONS, body: conflicting, setup: true },
    {
      name: 'refused',
      path: `${DEFINITIONS}/others.${GROUP}`,
      until: '"ListKindConflict"',
    },
    list({ path: things().replace('/things', '/others') }),
  ),
  customRow(
    'names: short names that somebody has',
    ...defined({ names: { shortNames: ['tx'] } }),
    {
      name: 'other',
      method: 'POST',
      path: DEFINITIONS,
      body: definition({ names: { plural: 'others', kind: 'Other', shortNames: ['tx', 'ty'] } }),
      setup: true,
    },
    {
      name: 'refused',
      path: `${DEFINITIONS}/others.${GROUP}`,
      until: '"ShortNamesConflict"',
    },
    list({ path: things().replace('/things', '/others') }),
  ),
  customRow(
    'names: free again',
    ...defined(),
    { name: 'other', method: 'POST', path: DEFINITIONS, body: conflicting, setup: true },
    {
      name: 'refused',
      path: `${DEFINITIONS}/others.${GROUP}`,
      until: '"ListKindConflict"',
    },
    undefine(),
    { name: 'gone', path: DEFINITION, until: 404, setup: true },
    list({ path: things().replace('/things', '/others'), until: 200 }),
  ),
  customRow(
    'names: nothing is served of an unknown kind',
    { name: 'list', path: things() },
    { name: 'group', path: `/apis/${GROUP}` },
    { name: 'version', path: `/apis/${GROUP}/v1` },
    post(small),
  ),
];

const deciding: Row[] = [
  customRow(
    'roles: who may not',
    ...defined(),
    given(small),
    list({ as: 'bob' }),
    post(small, { as: 'bob', body: thing(small, 'b') }),
    get({ name: 'status', as: 'bob', path: `${things()}/a/status` }),
  ),
  customRow(
    'roles: who may',
    ...defined(),
    given(small),
    {
      name: 'role',
      method: 'POST',
      path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles',
      setup: true,
      body: {
        metadata: { name: 'r' },
        rules: [{ apiGroups: [GROUP], resources: ['things'], verbs: ['get', 'list'] }],
      },
    },
    {
      name: 'binding',
      method: 'POST',
      path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings',
      setup: true,
      body: {
        metadata: { name: 'r' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
      },
    },
    list({ as: 'bob', until: 200 }),
    post(small, { as: 'bob', body: thing(small, 'b') }),
  ),
  customRow(
    'namespaces: one that is not there',
    ...defined(),
    post(small, { path: things().replace('{ns}/things', '{ns}-none/things') }),
  ),
];

export const customLifecycle: RowGroup = {
  name: 'custom-resources-lifecycle',
  rows: [...changing, ...going, ...naming, ...deciding],
};
