/** Every kind of list, map and field: what is accepted, kept, filled in and refused, and how it is patched. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Widget } from '../everything-api.ts';
import {
  GROUP,
  type Loose,
  outcomeOf,
  revisionOf,
  startEverything,
  widgetsPath,
} from './fixture.ts';

interface FieldCase {
  readonly name: string;
  readonly spec: Record<string, unknown>;
  /** The expected field, where it differs. */
  readonly becomes?: Record<string, unknown>;
  readonly warnings?: readonly string[];
}
const fieldCases: FieldCase[] = [
  { name: 'a whole-number size', spec: { size: 3 } },
  { name: 'a size that is text', spec: { size: '50%' } },
  {
    name: 'an element of a keyed list without its optional key',
    spec: { ports: [{ port: 80 }] },
    becomes: { ports: [{ port: 80, protocol: 'TCP' }] },
  },
  {
    name: 'two elements that differ in one key',
    spec: {
      ports: [
        { port: 53, protocol: 'UDP' },
        { port: 53, protocol: 'TCP' },
      ],
    },
  },
  { name: 'the same text twice in an ordinary list', spec: { steps: ['a', 'a'] } },
  { name: 'a map with any keys', spec: { limits: { 'a/b': '1', __proto__x: '2' } } },
  {
    name: 'nested keyed lists',
    spec: { parts: [{ name: 'p', weight: 1.5, env: [{ name: 'E', value: '' }] }] },
  },
  {
    name: 'defaults inside what is given',
    spec: { placement: { spread: { enabled: true } } },
    becomes: { placement: { zone: 'a', spread: { enabled: true, distance: 3 } } },
  },
  { name: 'a null that means something', spec: { note: null } },
  {
    name: 'a null that means nothing, as if it were not there',
    spec: { seal: null, tags: null },
    becomes: { seal: undefined, tags: undefined },
  },
  {
    name: 'a null where there is a default',
    spec: { colour: null },
    becomes: { colour: 'red' },
  },
  { name: 'bytes in base64', spec: { seal: 'AAEC' } },
  { name: 'a time', spec: { notBefore: '2030-01-01T00:00:00.5+02:00' } },
  {
    name: 'any value of a field that preserves unknown fields',
    spec: { extra: { a: [1, { b: null }], c: true } },
  },
  {
    name: 'a known field beside preserved unknown ones',
    spec: { settings: { other: { x: 1 } } },
    becomes: { settings: { level: 1, other: { x: 1 } } },
  },
  {
    name: 'a whole object of any kind',
    spec: {
      template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { any: 'thing' } },
    },
  },
  {
    name: 'a field that nobody knows, with a warning',
    spec: { colour: 'green', shape: 'round' },
    becomes: { colour: 'green', shape: undefined },
    warnings: ['unknown field "spec.shape"'],
  },
  {
    name: 'unknown fields in lists and embedded objects, with warnings',
    spec: {
      parts: [{ name: 'p', size: 1 }],
      companion: {
        apiVersion: 'v1',
        kind: 'K',
        metadata: { name: 'c' },
        spec: { reason: 'r', x: 1 },
      },
    },
    becomes: {
      parts: [{ name: 'p' }],
      companion: { apiVersion: 'v1', kind: 'K', metadata: { name: 'c' }, spec: { reason: 'r' } },
    },
    warnings: ['unknown field "spec.companion.spec.x"', 'unknown field "spec.parts[0].size"'],
  },
];

for (const { name, spec, becomes = spec, warnings = [] } of fieldCases) {
  test(`a schema accepts ${name}`, async (t) => {
    const server = await startEverything(t);
    const body = { metadata: { name: 'a' }, spec };
    const response = await server.request<Loose>('POST', widgetsPath(), { body });
    assert.equal(response.status, 201, response.text);
    for (const [field, value] of Object.entries(becomes)) {
      assert.deepEqual(response.object.spec[field], value, field);
      assert.equal(Object.hasOwn(response.object.spec, field), value !== undefined, field);
    }
    assert.deepEqual([...response.warnings].sort(), warnings);
    assert.deepEqual((await server.request('GET', `${widgetsPath()}/a`)).object, response.object);
  });
}

const invalid = (what: string) => `Widget.${GROUP} "a" is invalid: ${what}`;
const refused = [
  {
    name: 'two elements with the same keys, one by default',
    spec: { ports: [{ port: 80 }, { port: 80, protocol: 'TCP' }] },
    message: invalid('spec.ports[1]: Duplicate value: {"port":80,"protocol":"TCP"}'),
  },
  {
    name: 'the same text twice in a set',
    spec: { tags: ['a', 'b', 'a'] },
    message: invalid('spec.tags[2]: Duplicate value: "a"'),
  },
  {
    name: 'an element without its key',
    spec: { parts: [{ weight: 1.5 }] },
    message: invalid('spec.parts[0].name: Required value'),
  },
  {
    name: 'too many elements',
    spec: { ports: Array.from({ length: 17 }, (_, at) => ({ port: at + 1 })) },
    message: invalid('spec.ports: Too many: 17: must have at most 16 items'),
  },
  {
    name: 'too many keys',
    spec: { limits: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, ''])) },
    message: invalid('spec.limits: Too many: 17: must have at most 16 items'),
  },
  {
    name: 'a value of a map that is no text',
    spec: { limits: { a: 1 } },
    message: invalid(
      'spec.limits.a: Invalid value: "integer": spec.limits.a in body must be of type string: "integer"',
    ),
  },
  {
    name: 'one of the values that are not allowed',
    spec: { colour: 'pink' },
    message: invalid(
      'spec.colour: Unsupported value: "pink": supported values: "red", "green", "blue"',
    ),
  },
  {
    name: 'what its own rule refuses',
    spec: { colour: 'blue', replicas: 11 },
    message: invalid('spec.replicas: Invalid value: 11: blue is scarce'),
  },
  {
    name: 'a number that is no multiple',
    spec: { parts: [{ name: 'p', weight: 0.7 }] },
    message: invalid(
      'spec.parts[0].weight: Invalid value: 0.7: spec.parts[0].weight in body should be a multiple of 0.5',
    ),
  },
  {
    name: 'text that does not look right',
    spec: { placement: { zone: 'AA' } },
    message: invalid(
      `spec.placement.zone: Invalid value: "AA": spec.placement.zone in body should match '^[a-z]$'`,
    ),
  },
  {
    name: 'an embedded object without a kind',
    spec: { template: { metadata: { name: 'p' } } },
    message: invalid(
      '[spec.template.apiVersion: Required value, spec.template.kind: Required value]',
    ),
  },
];

for (const { name, spec, message } of refused) {
  test(`a schema refuses ${name}`, async (t) => {
    const server = await startEverything(t);
    const before = await revisionOf(server);
    const body = { metadata: { name: 'a' }, spec };
    assert.deepEqual(outcomeOf(await server.request('POST', widgetsPath(), { body })), {
      status: 422,
      reason: 'Invalid',
      message,
    });
    assert.equal(await revisionOf(server), before);
  });
}

interface Patched {
  readonly name: string;
  readonly patch: unknown;
  readonly becomes: Record<string, unknown>;
}
const rich = {
  ports: [{ port: 80, protocol: 'TCP', name: 'http' }],
  tags: ['a', 'b'],
  steps: ['x', 'y'],
  parts: [
    { name: 'one', weight: 1.5, env: [{ name: 'E', value: '1' }] },
    { name: 'two', weight: 2.5 },
  ],
  limits: { cpu: '1', memory: '2' },
  origin: { kind: 'K', name: 'n' },
};

/** How every kind of patch treats the same change: only a strategic one looks at what lists mean. */
const merges: Patched[] = [
  {
    name: 'a list is replaced, whatever it is',
    patch: { spec: { parts: [{ name: 'three' }], steps: ['z'] } },
    becomes: { parts: [{ name: 'three' }], steps: ['z'] },
  },
  {
    name: 'maps are merged key by key, null removes one',
    patch: { spec: { limits: { cpu: null, disk: '3' }, origin: { name: 'm' } } },
    becomes: { limits: { memory: '2', disk: '3' }, origin: { kind: 'K', name: 'm' } },
  },
];
const strategic: Patched[] = [
  {
    name: 'an element of a keyed list is found by its key',
    patch: { spec: { parts: [{ name: 'two', weight: 5.5 }] } },
    becomes: {
      parts: [
        { name: 'one', weight: 1.5, env: [{ name: 'E', value: '1' }] },
        { name: 'two', weight: 5.5 },
      ],
    },
  },
  {
    name: 'so it is in lists inside lists',
    patch: { spec: { parts: [{ name: 'one', env: [{ name: 'F', value: '2' }] }] } },
    becomes: {
      parts: [
        {
          name: 'one',
          weight: 1.5,
          env: [
            { name: 'F', value: '2' },
            { name: 'E', value: '1' },
          ],
        },
        { name: 'two', weight: 2.5 },
      ],
    },
  },
  {
    name: 'an element is removed by a directive',
    patch: { spec: { parts: [{ name: 'one', $patch: 'delete' }] } },
    becomes: { parts: [{ name: 'two', weight: 2.5 }] },
  },
  {
    name: 'a list is replaced by a directive',
    patch: { spec: { parts: [{ $patch: 'replace' }, { name: 'three' }] } },
    becomes: { parts: [{ name: 'three' }] },
  },
  {
    name: 'a map is replaced by a directive',
    patch: { spec: { limits: { $patch: 'replace', disk: '3' } } },
    becomes: { limits: { disk: '3' } },
  },
  {
    name: 'maps are merged key by key, and ordinary lists replaced',
    patch: { spec: { limits: { cpu: null }, steps: ['z'] } },
    becomes: { limits: { memory: '2' }, steps: ['z'] },
  },
  {
    name: 'a list without the word for merging is replaced',
    patch: { spec: { tags: ['c'], ports: [{ port: 81, protocol: 'TCP' }] } },
    becomes: { tags: ['c'], ports: [{ port: 81, protocol: 'TCP' }] },
  },
];

for (const [type, rows] of [
  ['merge', merges],
  ['strategic', strategic],
] as const) {
  for (const { name, patch, becomes } of rows) {
    test(`${type} patch: ${name}`, async (t) => {
      const server = await startEverything(t);
      await server.request('POST', widgetsPath(), {
        body: { metadata: { name: 'a' }, spec: rich },
      });
      const after = (await server.client(Widget).patch('a', patch, { type })) as unknown as Loose;
      for (const [field, value] of Object.entries({ ...rich, ...becomes })) {
        assert.deepEqual(after.spec[field], value, field);
      }
    });
  }
}

test('a strategic patch in another version means the lists of that version', async (t) => {
  const server = await startEverything(t);
  await server.request('POST', widgetsPath(), { body: { metadata: { name: 'a' }, spec: rich } });
  const client = server.client(Widget);
  const patch = { spec: { appearance: { colour: 'blue' }, parts: [{ name: 'two', weight: 4.5 }] } };
  await client.in('v1beta1').patch('a', patch, { type: 'strategic' });
  const { spec } = await client.get('a');
  assert.deepEqual([spec.colour, spec.parts?.map(({ weight }) => weight)], ['blue', [1.5, 4.5]]);
});

test('finalizers and owners are merged by a strategic patch, as everywhere', async (t) => {
  const client = (await startEverything(t)).client(Widget);
  const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid });
  await client.create({
    metadata: { name: 'a', finalizers: ['x.io/a'], ownerReferences: [owner('1')] },
    spec: {},
  });
  const patch = { metadata: { finalizers: ['x.io/b'], ownerReferences: [owner('2')] } };
  const { metadata } = await client.patch('a', patch, { type: 'strategic' });
  assert.deepEqual([...(metadata.finalizers ?? [])].sort(), ['x.io/a', 'x.io/b']);
  assert.deepEqual(metadata.ownerReferences?.map(({ uid }) => uid).sort(), ['1', '2']);
});
