/** The fixture itself: what tests build upon must hold. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { everything, REST_ANNOTATION, Widget } from './everything-api.ts';

const port = fc.record(
  {
    port: fc.integer({ min: 1, max: 65535 }),
    protocol: fc.constantFrom('TCP', 'UDP'),
    name: fc.string({ maxLength: 15 }),
  },
  { requiredKeys: ['port'], noNullPrototype: true },
);
const loose = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.integer(),
  fc.constant(null),
  fc.array(fc.string()),
);
const specV1 = fc.record(
  {
    colour: fc.constantFrom('red', 'green', 'blue'),
    size: fc.oneof(fc.integer(), fc.string()),
    replicas: fc.nat(1000),
    ports: fc.uniqueArray(port, {
      maxLength: 4,
      selector: (one) => `${one.port}/${one.protocol ?? 'TCP'}`,
    }),
    tags: fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }),
    steps: fc.array(fc.string(), { maxLength: 3 }),
    limits: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3, noNullPrototype: true }),
    note: fc.option(fc.string()),
    serial: fc.oneof(fc.integer(), fc.constant(9007199254740993n)),
    extra: fc.dictionary(fc.string(), loose, { maxKeys: 2, noNullPrototype: true }),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const annotations = fc.constantFrom(undefined, {}, { a: 'b' });

for (const [version, conversion] of Widget.conversions) {
  test(`nothing is lost on the way to ${version} and back`, () => {
    fc.assert(
      fc.property(specV1, annotations, (spec, given) => {
        const metadata = { name: 'w', ...(given && { annotations: given }) };
        const stored = {
          apiVersion: 'everything.example.com/v1',
          kind: 'Widget',
          metadata,
          spec,
          status: { phase: 'Ready' },
        };
        const before = structuredClone(stored);
        const there = { ...stored, ...conversion.fromStorage(stored) };
        const back = { ...there, ...conversion.toStorage(there) };
        assert.deepEqual(stored, before, 'what is given is not changed');
        assert.deepEqual(back.spec, stored.spec);
        assert.deepEqual(back.status, stored.status);
        assert.deepEqual(back.metadata.annotations ?? {}, stored.metadata.annotations ?? {});
      }),
    );
  });
}

test('an annotation that cannot be read loses nothing else', () => {
  const metadata = { annotations: { [REST_ANNOTATION]: '{', a: 'b' } };
  const alpha = { apiVersion: '', kind: '', metadata, spec: { color: 'green', ports: ['53/UDP'] } };
  const stored = Widget.conversions.get('v1alpha1')?.toStorage(alpha);
  assert.deepEqual(stored?.spec, { colour: 'green', ports: [{ port: 53, protocol: 'UDP' }] });
  assert.deepEqual(stored?.metadata, { annotations: { a: 'b' } });
});

test('it has what it promises', () => {
  const { status, scale, custom } = Widget.subresources;
  assert.ok(status && scale);
  assert.deepEqual([...custom.keys()], ['reset', 'paint', 'console', 'proxy']);
  assert.deepEqual(everything.versions, ['v1', 'v1beta1', 'v1alpha1']);
  assert.deepEqual(
    everything.resources.map(({ scope, backing }) => [scope, backing?.kind]),
    [
      ['Namespaced', undefined],
      ['Cluster', undefined],
      ['Namespaced', 'computed'],
    ],
  );
});
