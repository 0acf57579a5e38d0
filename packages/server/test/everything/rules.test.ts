/** Rules of an author's schema, and of the schema of a whole object, from the request to the response. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Type from 'typebox';
import { defineApi, defineResource, version } from '../../src/definition/index.ts';
import { rules } from '../../src/index.ts';
import { rootSchema } from '../../src/schema/object-schema.ts';
import { startTestServer } from '../../src/testing/index.ts';
import { outcomeOf } from './fixture.ts';

const GROUP = 'rules.example.com';

/** An author's kind. */
const Gauge = defineResource({
  kind: 'Gauge',
  plural: 'gauges',
  scope: 'Cluster',
  subresources: { status: true },
  versions: {
    v1: version({
      spec: rules(
        Type.Object({
          min: Type.Integer(),
          max: Type.Integer(),
          unit: rules(Type.String({ maxLength: 10 }), {
            rule: 'self == oldSelf',
            message: 'cannot be changed',
            reason: 'FieldValueForbidden',
          }),
          note: Type.Optional(Type.String()),
        }),
        {
          rule: 'self.min <= self.max',
          messageExpression: "'%d is more than %d'.format([self.min, self.max])",
          fieldPath: '.min',
        },
      ),
      status: rules(Type.Object({ value: Type.Integer() }), 'self.value >= 0'),
    }),
  },
});

/** The same as the schema of a whole object, with a rule about both parts. */
const Meter = defineResource({
  kind: 'Meter',
  plural: 'meters',
  scope: 'Cluster',
  subresources: { status: true },
  versions: {
    v1: version({
      schema: rootSchema({
        type: 'object',
        required: ['spec'],
        properties: {
          metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } },
          spec: {
            type: 'object',
            properties: {
              max: { type: 'integer', maximum: 100 },
              level: { type: 'string', enum: ['low', 'high'] },
            },
          },
          status: { type: 'object', properties: { value: { type: 'integer' } } },
        },
        'x-kubernetes-validations': [
          { rule: '!has(self.status) || self.status.value <= self.spec.max', message: 'too much' },
          { rule: "self.metadata.name != 'none'", message: 'needs a name' },
        ],
      }),
    }),
  },
});

const api = defineApi({ group: GROUP, resources: [Gauge, Meter] });

async function start(t: TestContext) {
  const server = await startTestServer(api);
  t.after(() => server.close());
  return server;
}

const gauges = `/apis/${GROUP}/v1/gauges`;
const meters = `/apis/${GROUP}/v1/meters`;
const gauge = (name: string, spec: object) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Gauge',
  metadata: { name },
  spec,
});
const meter = (name: string, content: object) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Meter',
  metadata: { name },
  ...content,
});
const GOOD = { min: 1, max: 5, unit: 'm' };

const creations = [
  {
    name: 'what holds is accepted',
    path: gauges,
    body: gauge('a', GOOD),
    message: undefined,
  },
  {
    name: 'a message that is made, and another place',
    path: gauges,
    body: gauge('a', { ...GOOD, min: 9 }),
    message: 'Gauge.rules.example.com "a" is invalid: spec.min: Invalid value: 9 is more than 5',
  },
  {
    name: 'what the schema refuses is not asked about',
    path: gauges,
    body: gauge('a', { min: 9, max: 5 }),
    message:
      'Gauge.rules.example.com "a" is invalid: [spec.unit: Required value, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  },
  {
    name: 'the status is not written with the rest, and not judged',
    path: gauges,
    body: { ...gauge('a', GOOD), status: { value: -1 } },
    message: undefined,
  },
  {
    name: 'a whole object: rules of the object itself',
    path: meters,
    body: meter('none', { spec: { max: 1 } }),
    message: 'Meter.rules.example.com "none" is invalid: <nil>: Invalid value: needs a name',
  },
  {
    name: 'a whole object: what is required',
    path: meters,
    body: meter('a', {}),
    message:
      'Meter.rules.example.com "a" is invalid: [spec: Required value, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  },
  {
    name: 'a whole object: a restricted name',
    path: meters,
    body: meter('a'.repeat(10), { spec: {} }),
    message:
      'Meter.rules.example.com "aaaaaaaaaa" is invalid: [metadata.name: Too long: may not be more than 9 bytes, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  },
];

for (const { name, path, body, message } of creations) {
  test(`create: ${name}`, async (t) => {
    const server = await start(t);
    const response = await server.request('POST', path, { body });
    assert.deepEqual(
      outcomeOf(response),
      message === undefined ? { status: 201 } : { status: 422, reason: 'Invalid', message },
    );
    assert.deepEqual(server.bugs, []);
  });
}

test('update: a change that a rule forbids', async (t) => {
  const server = await start(t);
  await server.request('POST', gauges, { body: gauge('a', GOOD) });
  const response = await server.request('PATCH', `${gauges}/a`, { body: { spec: { unit: 'km' } } });
  assert.deepEqual(outcomeOf(response), {
    status: 422,
    reason: 'Invalid',
    message: 'Gauge.rules.example.com "a" is invalid: spec.unit: Forbidden: cannot be changed',
  });
});

test('update: by every way of writing', async (t) => {
  const server = await start(t);
  const created = await server.request<{ metadata: object }>('POST', gauges, {
    body: gauge('a', GOOD),
  });
  const bad = { ...GOOD, unit: 'km' };
  const applied = { contentType: 'application/apply-patch+yaml', body: gauge('a', bad) };
  const responses = [
    await server.request('PUT', `${gauges}/a`, {
      body: { ...gauge('a', bad), metadata: created.object.metadata },
    }),
    await server.request('PATCH', `${gauges}/a?fieldManager=m&force=true`, applied),
    await server.request('PATCH', `${gauges}/a`, {
      contentType: 'application/json-patch+json',
      body: [{ op: 'replace', path: '/spec/unit', value: 'km' }],
    }),
  ];
  assert.deepEqual(
    responses.map(({ status }) => status),
    [422, 422, 422],
  );
});

test('update: the status has rules of its own', async (t) => {
  const server = await start(t);
  await server.request('POST', gauges, { body: gauge('a', GOOD) });
  const write = (value: number) =>
    server.request('PATCH', `${gauges}/a/status`, { body: { status: { value } } });
  assert.equal((await write(3)).status, 200);
  assert.equal(
    outcomeOf(await write(-3)).message,
    'Gauge.rules.example.com "a" is invalid: status: Invalid value: failed rule: self.value >= 0',
  );
});

test('a whole object: a rule sees the status, whichever part is written', async (t) => {
  const server = await start(t);
  await server.request('POST', meters, { body: meter('a', { spec: { max: 5 } }) });
  const status = (value: number) =>
    server.request('PATCH', `${meters}/a/status`, { body: { status: { value } } });
  assert.equal((await status(5)).status, 200);
  const refused = 'Meter.rules.example.com "a" is invalid: <nil>: Invalid value: too much';
  assert.equal(outcomeOf(await status(6)).message, refused);
  const less = await server.request('PATCH', `${meters}/a`, { body: { spec: { max: 4 } } });
  assert.equal(outcomeOf(less).message, refused);
});

test('a whole object: what was wrong before is not refused while it does not change', async (t) => {
  const server = await start(t);
  const old = meter('a', { spec: { max: 500, level: 'low' } });
  const key = `/registry/${GROUP}/meters/a`;
  await server.storage.commit({
    require: [],
    writes: [
      {
        kind: 'put',
        key,
        value: Buffer.from(JSON.stringify({ ...old, metadata: { ...old.metadata, uid: 'u' } })),
      },
    ],
  });
  const change = (spec: object) => server.request('PATCH', `${meters}/a`, { body: { spec } });
  assert.deepEqual(outcomeOf(await change({ level: 'high' })), { status: 200 });
  assert.equal((await change({ max: 501 })).status, 422);
});

test('a rule that was broken before is a warning while nothing changes there', async (t) => {
  const server = await start(t);
  const old = { ...gauge('a', GOOD), status: { value: -1 } };
  const stored = { ...old, metadata: { ...old.metadata, uid: 'u' } };
  await server.storage.commit({
    require: [],
    writes: [
      {
        kind: 'put',
        key: `/registry/${GROUP}/gauges/a`,
        value: Buffer.from(JSON.stringify(stored)),
      },
    ],
  });
  const change = { body: { spec: { note: 'x' } } };
  const { status, warnings } = await server.request('PATCH', `${gauges}/a`, change);
  assert.equal(status, 200);
  assert.deepEqual(warnings, ['status: Invalid value: failed rule: self.value >= 0']);
});

test('clients can read the rules', async (t) => {
  const server = await start(t);
  const { object } = await server.request<{
    components: { schemas: Record<string, { properties: Record<string, object> }> };
  }>('GET', `/openapi/v3/apis/${GROUP}/v1`);
  const schema = Object.entries(object.components.schemas).find(([name]) =>
    name.endsWith('.Gauge'),
  );
  const { spec, status } = (schema?.[1].properties ?? {}) as Record<
    string,
    Record<string, unknown>
  >;
  assert.deepEqual(status?.['x-kubernetes-validations'], [{ rule: 'self.value >= 0' }]);
  assert.ok(Array.isArray(spec?.['x-kubernetes-validations']));
});

test('a kind with a rule that does not compile is refused before anything is served', () => {
  const spec = rules(Type.Object({ a: Type.Integer() }), 'self.b > 1');
  assert.throws(() => version({ spec }), /properties\[spec\].*<input>:1:5: undefined field 'b'/);
});
