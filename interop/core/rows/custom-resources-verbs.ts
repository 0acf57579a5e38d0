/** Verbs of custom resources, with status and scale. */
import type { JsonObject } from '../../differential/json.ts';
import type { Row, RowGroup } from '../../differential/row.ts';
import {
  apply,
  customRow,
  defined,
  get,
  given,
  list,
  patch,
  post,
  put,
  remove,
  thing,
  things,
  versionOf,
  watch,
  wholeSchema,
} from './custom-resources-words.ts';
import { TABLE } from './words.ts';

const STATUS_ON = { version: { subresources: { status: {} } } };
const small = { spec: { size: 1 } };
const ITEM = `${things()}/a`;
/** Owners of one second stand in the order of their names: this one comes before those without a name of their own. */
const BEFORE = { fieldManager: 'before' };
const JSON_TYPE = { 'content-type': 'application/json' };

const writing: Row[] = [
  customRow(
    'create: the least',
    ...defined(),
    post({}),
    get(),
    list(),
    list({ name: 'everywhere', path: things().replace('/namespaces/{ns}', '') }),
  ),
  customRow(
    'create: with everything',
    ...defined(),
    post({
      metadata: { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['example.com/x'] },
      spec: { size: 3, color: 'red', labels: { k: 'v' } },
      status: { phase: 'New', ready: 1 },
    }),
    get(),
  ),
  customRow(
    'create: of cluster scope',
    ...defined({ scope: 'Cluster' }),
    {
      name: 'create',
      method: 'POST',
      path: things().replace('/namespaces/{ns}', ''),
      body: thing(small),
    },
    { name: 'get', path: `${things().replace('/namespaces/{ns}', '')}/a` },
    {
      name: 'in-a-namespace',
      path: ITEM,
    },
  ),
  customRow(
    'create: in all namespaces at once',
    ...defined(),
    post(small, {
      path: things().replace('/namespaces/{ns}', ''),
    }),
  ),
  customRow(
    'create: with a generated name',
    ...defined(),
    post(
      {},
      {
        body: { ...thing(small), metadata: { generateName: 'x-' } },
      },
    ),
  ),
  customRow('create: twice', ...defined(), given(small), post(small)),
  customRow('create: with a bad name', ...defined(), post({}, { body: thing(small, 'Bad_Name') })),
  customRow(
    'create: of another kind',
    ...defined(),
    post(
      {},
      {
        body: { ...thing(small), kind: 'Other' },
      },
    ),
  ),
  customRow(
    'create: of another version',
    ...defined(),
    post(
      {},
      {
        body: { ...thing(small), apiVersion: '{ns}.example.com/v2' },
      },
    ),
  ),
  customRow(
    'create: without a type',
    ...defined(),
    post(
      {},
      {
        body: { metadata: { name: 'a' }, ...small },
      },
    ),
  ),
  customRow(
    'create: of what is no object',
    ...defined(),
    post({}, { body: '[]', headers: JSON_TYPE }),
  ),
  customRow(
    'create: as YAML',
    ...defined(),
    post(
      {},
      {
        headers: { 'content-type': 'application/yaml' },
        body: 'apiVersion: {ns}.example.com/v1\nkind: Thing\nmetadata:\n  name: a\nspec:\n  size: 1\n  size: 2\n',
      },
    ),
  ),
  customRow('create: not really', ...defined(), post(small, { query: { dryRun: 'All' } }), get()),
  customRow(
    'create: with a generation of its own',
    ...defined(STATUS_ON),
    post({
      metadata: { generation: 7 },
      ...small,
    }),
  ),
  customRow(
    'get: what is not there, as text and as a Table',
    ...defined(),
    get(),
    get({
      name: 'table',
      headers: { accept: TABLE },
    }),
  ),
  customRow(
    'get: as YAML',
    ...defined(),
    given(small),
    get({
      headers: { accept: 'application/yaml' },
    }),
  ),
  customRow(
    'get: a subresource that nobody defined',
    ...defined(),
    given(small),
    get({
      path: `${ITEM}/status`,
    }),
    get({ name: 'scale', path: `${ITEM}/scale` }),
    get({ name: 'other', path: `${ITEM}/other` }),
  ),
  customRow(
    'list: in pages, by label',
    ...defined(),
    given(small),
    given(small, 'b'),
    given({ metadata: { labels: { x: '1' } } }, 'c'),
    list({ name: 'first', query: { limit: '2' } }),
    list({ name: 'second', query: { limit: '2', continue: '{continue:first}' } }),
    list({ name: 'labelled', query: { labelSelector: 'x=1' } }),
  ),
  customRow(
    'list: by name and by what cannot be',
    ...defined(),
    given(small),
    given(small, 'b'),
    list({ query: { fieldSelector: 'metadata.name=b' } }),
    list({ name: 'bad', query: { fieldSelector: 'spec.size=1' } }),
  ),
  customRow(
    'watch: every change',
    ...defined(),
    given(small),
    watch(4, [
      given(small, 'b'),
      patch('merge', { spec: { size: 2 } }, { name: 'change', setup: true }),
      remove({ setup: true }),
      patch(
        'merge',
        { metadata: { labels: { x: 'y' } } },
        {
          name: 'label',
          path: `${things()}/b`,
          setup: true,
        },
      ),
    ]),
  ),
  customRow('watch: from the beginning', ...defined(), given(small), {
    name: 'watch',
    watch: {
      path: things(),
      query: {
        watch: '1',
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: 'true',
      },
    },
    events: 2,
  }),
  customRow(
    'patch: merge',
    ...defined(),
    given({ spec: { size: 1, color: 'red' } }),
    patch('merge', { spec: { color: null, labels: { a: 'b' } } }),
    get(),
  ),
  customRow(
    'patch: json',
    ...defined(),
    given(small),
    patch('json', [
      { op: 'test', path: '/spec/size', value: 1 },
      { op: 'add', path: '/spec/color', value: 'blue' },
    ]),
  ),
  customRow(
    'patch: json that does not hold',
    ...defined(),
    given(small),
    patch('json', [{ op: 'test', path: '/spec/size', value: 9 }]),
    patch('json', [{ op: 'remove', path: '/spec/none' }], { name: 'none' }),
  ),
  customRow(
    'patch: strategic',
    ...defined(),
    given(small),
    patch('strategic', { spec: { size: 2 } }),
  ),
  customRow('patch: of what is not there', ...defined(), patch('merge', small)),
  customRow('patch: that changes nothing', ...defined(), given(small), patch('merge', small)),
  customRow(
    'patch: to another kind',
    ...defined(),
    given(small),
    patch('merge', { kind: 'Other' }),
    patch('merge', { apiVersion: 'other/v1' }, { name: 'version' }),
  ),
  customRow(
    'apply: creates, changes, and gives up',
    ...defined(),
    apply({ spec: { size: 1, color: 'red', labels: { a: '1' } } }),
    apply({ spec: { size: 2, labels: { b: '2' } } }, { name: 'again' }),
    get(),
  ),
  customRow(
    'apply: two who want different things',
    ...defined(),
    apply({ spec: { size: 1 } }, { setup: true }),
    apply({ spec: { size: 2 } }, { name: 'other', query: { fieldManager: 'other' } }),
    apply(
      { spec: { size: 2 } },
      { name: 'forced', query: { fieldManager: 'other', force: 'true' } },
    ),
  ),
  customRow(
    'apply: an unknown field',
    ...defined(),
    apply({ spec: { size: 1, other: true } }),
    apply(
      { spec: { size: 1, other: true } },
      {
        name: 'strict',
        query: { fieldManager: 'applier', fieldValidation: 'Strict' },
      },
    ),
  ),
  customRow('apply: without a manager', ...defined(), apply(small, { query: {} })),
  customRow(
    'update: everything',
    ...defined(),
    given({ spec: { size: 1, color: 'red' } }),
    put({ metadata: { labels: { a: 'b' } }, spec: { size: 2 } }),
    get(),
  ),
  customRow(
    'update: without a resourceVersion',
    ...defined(),
    given(small),
    put(small, {
      body: thing({ spec: { size: 2 } }),
    }),
  ),
  customRow(
    'update: at an old resourceVersion',
    ...defined(),
    given(small),
    patch('merge', { spec: { size: 5 } }, { setup: true }),
    put({ spec: { size: 2 } }),
  ),
  customRow('update: of what is not there', ...defined(), put(small, { body: thing(small) })),
  customRow(
    'update: of another name',
    ...defined(),
    given(small),
    put(small, {
      body: thing({ metadata: { resourceVersion: '{rv:given-a}' }, ...small }, 'b'),
    }),
  ),
  customRow(
    'update: of another uid',
    ...defined(),
    given(small),
    put({
      metadata: { uid: '7a0f0000-0000-4000-8000-000000000000' },
      ...small,
    }),
  ),
  customRow('update: that changes nothing', ...defined(), given(small), put(small)),
  customRow('delete: with what it was', ...defined(), given(small), remove(), get()),
  customRow(
    'delete: while a finalizer is there',
    ...defined(),
    given({ metadata: { finalizers: ['example.com/hold'] }, ...small }),
    remove(),
    remove({ name: 'again' }),
    patch('merge', { spec: { size: 4 } }, { name: 'change' }),
    patch('merge', { metadata: { finalizers: null } }, { name: 'let-go' }),
    get(),
  ),
  customRow(
    'delete: under conditions',
    ...defined(),
    given(small),
    remove({
      body: { preconditions: { resourceVersion: '1' } },
    }),
    remove({ name: 'right', body: { preconditions: { uid: '{uid:given-a}' } } }),
  ),
  customRow(
    'delete: in the foreground',
    ...defined(),
    given(small),
    remove({
      query: { propagationPolicy: 'Foreground' },
    }),
    get(),
  ),
  customRow(
    'deletecollection: all, and by label',
    ...defined(),
    given(small),
    given({ metadata: { labels: { x: '1' } } }, 'b'),
    given(small, 'c'),
    list({ name: 'some', method: 'DELETE', query: { labelSelector: 'x=1' } }),
    list({ name: 'left' }),
    list({ name: 'all', method: 'DELETE' }),
    list({ name: 'none' }),
  ),
];

const statuses: Row[] = [
  customRow(
    'status: is not created',
    ...defined(STATUS_ON),
    post({
      ...small,
      status: { phase: 'New' },
    }),
  ),
  customRow(
    'status: off, it is a field',
    ...defined(),
    given(small),
    patch('merge', {
      status: { phase: 'New' },
    }),
    get({ name: 'status', path: `${ITEM}/status` }),
  ),
  customRow(
    'status: written by itself',
    ...defined(STATUS_ON),
    given(small),
    put(
      {
        metadata: { labels: { a: 'b' } },
        spec: { size: 9 },
        status: { phase: 'New' },
      },
      { path: `${ITEM}/status` },
    ),
    get(),
    get({ name: 'status', path: `${ITEM}/status` }),
  ),
  customRow(
    'status: patched by itself',
    ...defined(STATUS_ON),
    given(small),
    patch('merge', { spec: { size: 8 }, status: { ready: 2 } }, { path: `${ITEM}/status` }),
    get(),
  ),
  customRow(
    'status: is left alone by others',
    ...defined(STATUS_ON),
    given(small),
    patch(
      'merge',
      { status: { phase: 'New' } },
      { name: 'set', path: `${ITEM}/status`, query: BEFORE, setup: true },
    ),
    patch('merge', { spec: { size: 2 }, status: { phase: 'Old' } }),
    patch('merge', { status: { phase: 'Old' } }, { name: 'only' }),
  ),
  customRow(
    'status: applied',
    ...defined(STATUS_ON),
    given(small),
    apply({ status: { phase: 'New' } }, { path: `${ITEM}/status` }),
  ),
  customRow(
    'status: that is wrong',
    ...defined(STATUS_ON),
    given(small),
    patch('merge', { status: { ready: 'many' } }, { path: `${ITEM}/status` }),
  ),
  customRow(
    'status: deleted or created there',
    ...defined(STATUS_ON),
    given(small),
    remove({ path: `${ITEM}/status` }),
    post(small, { path: `${ITEM}/status` }),
  ),
  customRow(
    'generation: counts what is not metadata',
    ...defined(STATUS_ON),
    given(small),
    patch('merge', { metadata: { labels: { a: 'b' } } }, { name: 'label' }),
    patch('merge', { spec: { size: 2 } }, { name: 'size' }),
    patch('merge', { status: { phase: 'New' } }, { name: 'status', path: `${ITEM}/status` }),
  ),
  customRow(
    'generation: counts the status where it is a field',
    ...defined(),
    given(small),
    patch('merge', { status: { phase: 'New' } }),
  ),
];

const scaled = (more: JsonObject = {}) => ({
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          replicas: { type: 'integer', format: 'int32', minimum: 0, maximum: 10 },
          nested: { type: 'object', properties: { count: { type: 'integer' } } },
        },
      },
      status: {
        type: 'object',
        properties: { replicas: { type: 'integer' }, selector: { type: 'string' } },
      },
    },
  },
  version: {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        ...more,
      },
    },
  },
});
const SELECTED = scaled({ labelSelectorPath: '.status.selector' });
const SCALE = `${ITEM}/scale`;
const scaleOf = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a', namespace: '{ns}', ...metadata },
  spec,
});
const counted = given({ spec: { replicas: 3 } });
const reported = patch(
  'merge',
  { status: { replicas: 2, selector: 'app=a' } },
  {
    name: 'report',
    path: `${ITEM}/status`,
    setup: true,
  },
);

const scales: Row[] = [
  customRow('scale: with all paths', ...defined(SELECTED), counted, reported, get({ path: SCALE })),
  customRow(
    'scale: without a selector',
    ...defined(scaled()),
    counted,
    reported,
    get({ path: SCALE }),
  ),
  customRow(
    'scale: without values',
    ...defined(SELECTED),
    given({}),
    get({ path: SCALE }),
    given({ spec: { replicas: 1 } }, 'b'),
    get({ name: 'no-status', path: `${things()}/b/scale` }),
  ),
  customRow(
    'scale: set',
    ...defined(SELECTED),
    counted,
    reported,
    put(
      {},
      {
        path: SCALE,
        body: scaleOf({ replicas: 5 }),
      },
    ),
    get(),
    get({ name: 'scale', path: SCALE }),
  ),
  customRow(
    'scale: set at a resourceVersion',
    ...defined(SELECTED),
    counted,
    put(
      {},
      {
        path: SCALE,
        body: scaleOf({ replicas: 5 }, { resourceVersion: '{rv:given-a}' }),
      },
    ),
    put(
      {},
      {
        name: 'old',
        path: SCALE,
        body: scaleOf({ replicas: 6 }, { resourceVersion: '{rv:given-a}' }),
      },
    ),
  ),
  customRow(
    'scale: set to what cannot be',
    ...defined(SELECTED),
    counted,
    put({}, { path: SCALE, body: scaleOf({ replicas: -1 }) }),
    put({}, { name: 'many', path: SCALE, body: scaleOf({ replicas: 11 }) }),
    put({}, { name: 'text', path: SCALE, body: scaleOf({ replicas: 'x' }) }),
    put({}, { name: 'empty', path: SCALE, body: scaleOf({}) }),
  ),
  customRow(
    'scale: patched',
    ...defined(SELECTED),
    counted,
    patch('merge', { spec: { replicas: 7 } }, { path: SCALE }),
    get(),
  ),
  customRow(
    'scale: of a body of another kind',
    ...defined(SELECTED),
    counted,
    put({}, { path: SCALE, body: thing(small) }),
  ),
  customRow(
    'scale: sets what was not there',
    ...defined(SELECTED),
    given({}),
    put(
      {},
      {
        path: SCALE,
        body: scaleOf({ replicas: 2 }),
      },
    ),
    get(),
  ),
  customRow(
    'scale: of a nested path',
    ...defined(scaled({ specReplicasPath: '.spec.nested.count' })),
    given({ spec: { nested: { count: 4 } } }),
    get({ path: SCALE }),
    put({}, { path: SCALE, body: scaleOf({ replicas: 1 }) }),
    get({ name: 'after' }),
  ),
  customRow('scale: of what is not there', ...defined(SELECTED), get({ path: SCALE })),
  customRow(
    'scale: defined, and no status',
    ...defined({
      versions: [
        versionOf(
          'v1',
          wholeSchema({
            type: 'object',
            properties: { replicas: { type: 'integer' } },
          }),
          {
            subresources: {
              scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.ready' },
            },
          },
        ),
      ],
    }),
    given({ spec: { replicas: 1 }, status: { ready: 1 } }),
    get({ path: SCALE }),
    get({
      name: 'status',
      path: `${ITEM}/status`,
    }),
  ),
];

export const customVerbs: RowGroup = {
  name: 'custom-resources-verbs',
  rows: [...writing, ...statuses, ...scales],
};
