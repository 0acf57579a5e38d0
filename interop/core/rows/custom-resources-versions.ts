/** Several versions of a custom resource, how they are found, and what documents say of them. */
import type { JsonObject } from '../../differential/json.ts';
import type { DefinitionsView, Row, RowGroup, Step } from '../../differential/row.ts';
import {
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
  SPEC,
  thing,
  things,
  versionOf,
  wholeSchema,
} from './custom-resources-words.ts';
import { TABLE } from './words.ts';

const other = { storage: false };
const TWO = [versionOf('v1', wholeSchema()), versionOf('v2', wholeSchema(), other)];
const small = { spec: { size: 1 } };
const item = (version: string) => `${things(version)}/a`;
const inV2 = { path: item('v2') };

const versions: Row[] = [
  customRow(
    'versions: read in both',
    ...defined({ versions: TWO }),
    given(small),
    get(),
    get({ name: 'v2', ...inV2 }),
    list({ name: 'list-v2', path: things('v2') }),
  ),
  customRow(
    'versions: written in the other',
    ...defined({ versions: TWO }),
    post({}, { path: things('v2'), body: thing(small, 'a', 'v2') }),
    get(),
    patch('merge', { spec: { color: 'red' } }, inV2),
    patch('json', [{ op: 'replace', path: '/spec/size', value: 2 }], {
      name: 'first',
      query: { fieldManager: 'later' },
    }),
  ),
  customRow('versions: watched in the other', ...defined({ versions: TWO }), given(small), {
    name: 'watch',
    watch: { path: things('v2'), query: { watch: '1', resourceVersion: '{rv:given-a}' } },
    during: [patch('merge', { spec: { size: 2 } }, { name: 'change', setup: true })],
    events: 1,
  }),
  customRow(
    'versions: of different schemas',
    ...defined({
      versions: [
        versionOf('v1', wholeSchema()),
        versionOf(
          'v2',
          wholeSchema({
            type: 'object',
            properties: {
              size: { type: 'integer', minimum: 5 },
              color: { type: 'string', default: 'blue' },
              fresh: { type: 'string' },
            },
          }),
          other,
        ),
      ],
    }),
    given({ spec: { size: 1, labels: { a: 'b' } } }),
    get({ name: 'v2', ...inV2 }),
    patch('merge', { spec: { fresh: 'x' } }, inV2),
    patch('merge', { spec: { size: 7, fresh: 'x' } }, { name: 'right', ...inV2 }),
    get({ name: 'after' }),
  ),
  customRow(
    'versions: of a body of the other',
    ...defined({ versions: TWO }),
    post(
      {},
      {
        path: things('v2'),
        body: thing(small),
      },
    ),
  ),
  customRow(
    'versions: applied in both',
    ...defined({ versions: TWO }),
    patch('apply', thing({ spec: { size: 1 } }), { name: 'first', query: { fieldManager: 'm' } }),
    patch('apply', thing({ spec: { size: 2 } }, 'a', 'v2'), {
      name: 'second',
      query: { fieldManager: 'm' },
      ...inV2,
    }),
  ),
  customRow(
    'versions: stored in the other from now on',
    ...defined({ versions: TWO }),
    given(small),
    redefine([
      { op: 'replace', path: '/spec/versions/0/storage', value: false },
      { op: 'replace', path: '/spec/versions/1/storage', value: true },
    ]),
    given(small, 'b'),
    list({ name: 'v1' }),
    list({ name: 'v2', path: things('v2') }),
    patch('merge', { spec: { size: 3 } }),
    { name: 'stored', path: DEFINITION, view: 'shape', setup: true },
  ),
  customRow(
    'versions: one that is not served',
    ...defined({
      versions: [
        versionOf('v1', wholeSchema()),
        versionOf('v2', wholeSchema(), { ...other, served: false }),
      ],
    }),
    given(small),
    get({ name: 'v2', ...inV2 }),
    list({ name: 'list', path: things('v2') }),
    { name: 'discovery', path: `/apis/${GROUP}/v2` },
  ),
  customRow(
    'versions: stored in one that is not served',
    ...defined({
      versions: [
        versionOf('v1', wholeSchema(), { served: false }),
        versionOf('v2', wholeSchema(), other),
      ],
    }),
    post({}, { path: things('v2'), body: thing(small, 'a', 'v2') }),
    get({ name: 'v2', ...inV2 }),
    get({ name: 'v1' }),
  ),
  customRow(
    'versions: one that stops being served',
    ...defined({ versions: TWO }),
    given(small),
    get({ name: 'before', ...inV2 }),
    redefine([{ op: 'replace', path: '/spec/versions/1/served', value: false }]),
    get({ ...inV2, until: 404 }),
  ),
  customRow(
    'versions: deprecated',
    ...defined({
      versions: [
        versionOf('v1', wholeSchema()),
        versionOf('v1beta1', wholeSchema(), { ...other, deprecated: true }),
        versionOf('v1alpha1', wholeSchema(), {
          ...other,
          deprecated: true,
          deprecationWarning: 'go away',
        }),
      ],
    }),
    given(small),
    get(),
    get({ name: 'beta', path: item('v1beta1') }),
    get({ name: 'alpha', path: item('v1alpha1') }),
    list({ name: 'list', path: things('v1beta1') }),
  ),
  customRow(
    'versions: with columns and fields of their own',
    ...defined({
      versions: [
        versionOf('v1', wholeSchema(), {
          additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
          selectableFields: [{ jsonPath: '.spec.size' }],
        }),
        // Of one and the same schema the original takes no fields to select.
        versionOf('v2', wholeSchema({ ...SPEC, description: 'another' }), {
          ...other,
          subresources: { status: {} },
        }),
      ],
    }),
    given(small),
    list({ name: 'table', headers: { accept: TABLE } }),
    list({ name: 'table-v2', path: things('v2'), headers: { accept: TABLE } }),
    list({ name: 'selected', query: { fieldSelector: 'spec.size=1' } }),
    list({ name: 'selected-v2', path: things('v2'), query: { fieldSelector: 'spec.size=1' } }),
    patch('merge', { status: { phase: 'x' } }, { name: 'status', path: `${item('v2')}/status` }),
    get({ name: 'no-status', path: `${item('v1')}/status` }),
  ),
];

const NAMES = {
  plural: 'things',
  singular: 'thing',
  kind: 'Thing',
  listKind: 'Things',
  shortNames: ['th', 'tg'],
  categories: ['all', 'toys'],
};
const MANY = ['v1', 'v2', 'v10', 'v1beta1', 'v2alpha3', 'v2beta2', 'foo1'].map((name) =>
  versionOf(name, wholeSchema(), name === 'v1' ? {} : other),
);
const found = { until: '"Thing"' };
const V2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const ofVersion = (group: string): Step[] => [
  { name: 'version', path: `/apis/${group}/v1`, ...found },
];

const discovery: Row[] = [
  customRow('discovery: of a group', ...defined({ versions: MANY }), {
    name: 'group',
    path: `/apis/${GROUP}`,
    until: '"v10"',
  }),
  customRow(
    'discovery: of a version',
    ...inGroup('version', ofVersion, {
      names: NAMES,
      version: {
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' },
        },
      },
    }),
  ),
  customRow(
    'discovery: of cluster scope',
    ...inGroup('cluster-scope', ofVersion, { scope: 'Cluster' }),
  ),
  customRow(
    'discovery: of two kinds',
    ...inGroup('two-kinds', (group) => [
      {
        name: 'second',
        method: 'POST',
        path: DEFINITIONS,
        body: definition({ group, names: { plural: 'others', kind: 'Other' } }),
        setup: true,
      },
      // In no order.
      ...['things', 'others'].map((one) => ({
        name: one,
        path: `/apis/${group}/v1`,
        view: { resources: [one], groups: [] },
        until: `"${one}"`,
      })),
      { name: 'undefine', method: 'DELETE', path: `${DEFINITIONS}/others.${group}`, setup: true },
      { name: 'gone', path: `${DEFINITIONS}/others.${group}`, until: 404, setup: true },
    ]),
  ),
  customRow(
    'discovery: while it goes',
    ...inGroup('going', (group) => [
      {
        name: 'given',
        method: 'POST',
        path: things('v1', group),
        body: {
          apiVersion: `${group}/v1`,
          kind: 'Thing',
          metadata: { name: 'a', finalizers: ['example.com/hold'] },
        },
        setup: true,
      },
      { name: 'before', path: `/apis/${group}/v1`, ...found },
      { name: 'undefine', method: 'DELETE', path: `${DEFINITIONS}/things.${group}`, setup: true },
      {
        name: 'going',
        path: `/apis/${group}/v1`,
        until: '"verbs":["delete","deletecollection","get","list","watch"]',
      },
      patch(
        'merge',
        { metadata: { finalizers: null } },
        { path: `${things('v1', group)}/a`, setup: true },
      ),
      { name: 'gone', path: `/apis/${group}/v1`, until: 404 },
      // The next steps of every such row find something to remove.
      {
        name: 'again',
        method: 'POST',
        path: DEFINITIONS,
        body: definition({ group }),
        setup: true,
        until: 201,
      },
    ]),
  ),
  customRow(
    'discovery: of the groups of all',
    ...inGroup('groups', (group) => [
      {
        name: 'plain',
        path: '/apis',
        view: { resources: ['things'], groups: [group] },
        until: group,
      },
      {
        name: 'aggregated',
        path: '/apis',
        headers: { accept: V2 },
        view: { resources: ['things'], groups: [group] },
        until: group,
      },
    ]),
  ),
  // Without a list before: the order of list and registration is not defined.
  customRow('discovery: as registered', ...defined().slice(0, 1), {
    name: 'registered',
    path: `/apis/apiregistration.k8s.io/v1/apiservices/v1.${GROUP}`,
    until: '"Local"',
  }),
  customRow(
    'discovery: not registered any more',
    ...defined().slice(0, 1),
    {
      name: 'registered',
      path: `/apis/apiregistration.k8s.io/v1/apiservices/v1.${GROUP}`,
      until: 200,
      setup: true,
    },
    { name: 'undefine', method: 'DELETE', path: DEFINITION, setup: true },
    {
      name: 'gone',
      path: `/apis/apiregistration.k8s.io/v1/apiservices/v1.${GROUP}`,
      until: 404,
    },
  ),
];

const documented = (name: string, schema: JsonObject, version: JsonObject = {}): Row =>
  customRow(
    `openapi: ${name}`,
    ...inGroup(
      name.replaceAll(' ', '-'),
      (group) => {
        const view = viewOf(group);
        return [
          { name: 'v3', path: `/openapi/v3/apis/${group}/v1`, view, until: '"Thing"' },
          {
            name: 'v2',
            path: '/openapi/v2',
            headers: { accept: 'application/json' },
            view,
            until: `/apis/${group}/v1/`,
          },
        ];
      },
      { schema, version },
    ),
  );

function viewOf(group: string): DefinitionsView {
  const base = `${group.split('.').reverse().join('.')}.v1.Thing`;
  const all = `/apis/${group}/v1/namespaces/{namespace}/things`;
  return {
    definitions: [base, `${base}List`],
    paths: [
      `/apis/${group}/v1/things`,
      all,
      `${all}/{name}`,
      `${all}/{name}/status`,
      `${all}/{name}/scale`,
    ],
  };
}

const documents: Row[] = [
  documented('plain', wholeSchema()),
  documented('subresources', wholeSchema(), {
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' },
    },
  }),
  documented('nothing known', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
  documented(
    'every construct',
    wholeSchema({
      type: 'object',
      description: 'words',
      required: ['text'],
      properties: {
        text: {
          type: 'string',
          description: 'a text',
          pattern: '^a',
          minLength: 1,
          maxLength: 9,
          default: 'ab',
          enum: ['ab', 'ac'],
        },
        maybe: { type: 'string', nullable: true },
        number: {
          type: 'number',
          minimum: 1,
          exclusiveMinimum: true,
          multipleOf: 2,
          format: 'double',
        },
        port: {
          'x-kubernetes-int-or-string': true,
          anyOf: [{ type: 'integer' }, { type: 'string' }],
        },
        open: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { a: { type: 'string' } },
        },
        raw: { 'x-kubernetes-preserve-unknown-fields': true },
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['n'],
          items: { type: 'object', required: ['n'], properties: { n: { type: 'string' } } },
        },
        set: {
          type: 'array',
          'x-kubernetes-list-type': 'set',
          minItems: 1,
          uniqueItems: false,
          items: { type: 'string' },
        },
        map: {
          type: 'object',
          'x-kubernetes-map-type': 'atomic',
          additionalProperties: { type: 'integer', format: 'int32' },
        },
        either: {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
          oneOf: [{ required: ['a'] }, { required: ['b'] }],
          not: { required: ['c'] },
        },
        ruled: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
        listed: { type: 'array', items: { type: 'string', nullable: true } },
        example: { type: 'string', example: 'x', title: 'a title' },
      },
    }),
  ),
  documented('metadata restricted', {
    type: 'object',
    required: ['spec'],
    description: 'whole',
    properties: {
      apiVersion: { type: 'string', description: 'own' },
      kind: { type: 'string' },
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } },
      spec: SPEC,
    },
    'x-kubernetes-validations': [{ rule: 'true' }],
  }),
  documented('selectable', wholeSchema(), {
    selectableFields: [{ jsonPath: '.spec.size' }],
    additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.color' }],
  }),
];

export const customVersions: RowGroup = {
  name: 'custom-resources-versions',
  rows: [...versions, ...discovery, ...documents],
};
