import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type HistoryStep, historyFacts } from '../../test/apply-facts.ts';
import { convertThing, emptyThing, group, nowMs, thing, thingManager } from '../../test/things.ts';
import { StatusError } from '../errors/status.ts';
import type { KubeObject, ManagedFieldsEntry } from '../meta/object.ts';

for (const { name, reset = [], steps } of historyFacts.histories) {
  test(`history: ${name}`, () => {
    let live: KubeObject | undefined;
    for (const [index, step] of steps.entries()) {
      const outcome = run(step, live, reset);
      assert.deepEqual(outcome.got, step.want, `step ${index}`);
      live = outcome.live ?? live;
    }
  });
}

function run(step: HistoryStep, stored: KubeObject | undefined, reset: readonly string[]) {
  const { op, version, subresource, manager: name, force = false } = step;
  const manager = thingManager({ version, subresource, reset });
  const object = step.object as unknown as KubeObject;
  const live = stored ? convertThing(stored, `${group}/${version}`) : emptyThing(version);
  const before = JSON.stringify([live, object]);
  try {
    const next =
      op === 'apply'
        ? manager.apply(live, object, { manager: name, force })
        : manager.update(live, object, name);
    // The registry sets the uid when it stores an object.
    const written = { ...next, metadata: { ...next.metadata, uid: 'u1' } };
    return { got: outcomeOf(written), live: written };
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return { got: failureOf(error) };
  } finally {
    assert.equal(JSON.stringify([live, object]), before, 'arguments are not modified');
  }
}

function outcomeOf({ apiVersion: _apiVersion, kind: _kind, metadata, ...content }: KubeObject) {
  const { managedFields = [], name: _name, uid: _uid, ...others } = metadata;
  return {
    content,
    ...(Object.keys(others).length > 0 && { metadata: others }),
    managers: managedFields.map((entry) => [
      entry.manager,
      entry.operation,
      entry.apiVersion?.slice(group.length + 1),
      entry.subresource ?? '',
      entry.time ? 'timed' : 'never',
      entry.fieldsV1,
    ]),
  };
}

function failureOf({ status }: StatusError) {
  const causes = status.details?.causes?.map(({ message, field }) => [message, field]);
  return {
    error: status.message,
    ...(causes && { code: status.code, causes: causes.sort() }),
  };
}

const apply = (live: KubeObject, config: KubeObject, manager = 'm', force = false) =>
  thingManager().apply(live, config, { manager, force });

test('the time of a manager changes only when it changes the object', () => {
  const at = (seconds: number) => thingManager({ nowMs: () => nowMs + seconds * 1000 });
  const options = { manager: 'm', force: false };
  const first = at(0).apply(emptyThing(), thing({ name: 'a' }), options);
  const same = at(60).apply(first, thing({ name: 'a' }), options);
  const other = at(90).apply(same, thing({ name: 'a' }), { manager: 'late', force: false });
  const changed = at(120).apply(other, thing({ name: 'a', replicas: 1 }), options);
  const times = (object: KubeObject) =>
    object.metadata.managedFields?.map(({ manager, time }) => [manager, time]);
  assert.deepEqual(times(same), [['m', '2026-01-01T00:00:00Z']]);
  assert.deepEqual(times(other), [
    ['late', undefined],
    ['m', '2026-01-01T00:00:00Z'],
  ]);
  assert.deepEqual(times(changed), [
    ['late', undefined],
    ['m', '2026-01-01T00:02:00Z'],
  ]);
});

test('an update without changes retains the same entries', () => {
  const live = apply(emptyThing(), thing({ name: 'a' }));
  const stored = { ...live, metadata: { ...live.metadata, uid: 'u1' } };
  const next = thingManager().update(stored, structuredClone(stored), 'u');
  assert.equal(next.metadata.managedFields?.[0], stored.metadata.managedFields?.[0]);
});

const unreadable: { name: string; entry: object; error: string }[] = [
  { name: 'no operation', entry: { manager: 'x' }, error: 'operation must be `Apply` or `Update`' },
  {
    name: 'no version',
    entry: { manager: 'x', operation: 'Apply' },
    error: 'apiVersion must not be empty',
  },
  {
    name: 'no type of fields',
    entry: { manager: 'x', operation: 'Apply', apiVersion: 'v1' },
    error: 'missing fieldsType in managed fields entry 0',
  },
  {
    name: 'another type of fields',
    entry: { manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV2' },
    error: 'invalid fieldsType "FieldsV2" in managed fields entry 0',
  },
];
for (const { name, entry, error } of unreadable) {
  test(`an apply to managedFields with ${name}`, () => {
    const live = thing({ name: 'a' });
    live.metadata.managedFields = [entry as ManagedFieldsEntry];
    assert.throws(() => apply(live, thing({})), {
      message: `failed to decode managed fields: ${error}`,
    });
  });
}

const specs = fc.record(
  {
    name: fc.constantFrom('a', 'b'),
    replicas: fc.integer({ min: 0, max: 2 }),
    labels: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'é'), fc.constantFrom('1', '2')),
    args: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
    hosts: fc.uniqueArray(fc.constantFrom('h1', 'h2', '<h3>')),
    items: fc.uniqueArray(
      fc.record({ name: fc.constantFrom('i', 'j'), value: fc.constantFrom('1', '2') }),
      { selector: ({ name }) => name },
    ),
    any: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: [] },
);

/** Without empty values: as upstream, a value that is pruned until empty becomes null, which a repeated apply changes. */
const filled = specs.map((spec) => ({
  on: true,
  ...Object.fromEntries(
    Object.entries(spec).filter(
      ([name, value]) =>
        name !== 'any' && !(typeof value === 'object' && Object.keys(value as object).length === 0),
    ),
  ),
}));

test('a repeated apply changes nothing', () => {
  fc.assert(
    fc.property(filled, filled, filled, (a, b, c) => {
      const live = apply(apply(emptyThing(), thing(a), 'm1'), thing(b), 'm2', true);
      const once = apply(live, thing(c), 'm1', true);
      const twice = thingManager({ nowMs: () => nowMs + 3600_000 }).apply(once, thing(c), {
        manager: 'm1',
        force: true,
      });
      assert.equal(JSON.stringify(twice), JSON.stringify(once));
    }),
  );
});

test('a manager loses the fields that another one applies by force', () => {
  fc.assert(
    fc.property(specs, specs, (a, b) => {
      const live = apply(apply(emptyThing(), thing(a), 'm1'), thing(b), 'm2', true);
      for (const field of ['name', 'replicas'] as const) {
        if (b[field] === undefined) continue;
        assert.equal((live.spec as typeof b)[field], b[field]);
        const shared = a[field] === b[field];
        assert.deepEqual(ownersOf(live, field), shared ? ['m1', 'm2'] : ['m2']);
      }
    }),
  );
});

function ownersOf({ metadata }: KubeObject, field: string): (string | undefined)[] {
  const owners = (metadata.managedFields ?? []).filter(({ fieldsV1 }) =>
    Object.hasOwn((fieldsV1 as { 'f:spec'?: object })['f:spec'] ?? {}, `f:${field}`),
  );
  return owners.map(({ manager }) => manager).sort();
}

test('an empty apply removes the fields that only its manager owned', () => {
  fc.assert(
    fc.property(specs, (a) => {
      const live = apply(emptyThing(), thing(a));
      const { spec, metadata } = apply(live, { ...emptyThing(), metadata: { name: 'n' } });
      assert.ok(spec === undefined || spec === null, JSON.stringify(spec));
      assert.equal(metadata.managedFields, undefined);
    }),
  );
});

test('an update that is invalid for the type retains the entries of the live object', () => {
  const manager = thingManager();
  const live = manager.update(emptyThing('v1'), thing({ name: 'a' }), 'u');
  const stored = { ...live, metadata: { ...live.metadata, uid: 'u1' } };
  const { managedFields } = stored.metadata;
  assert.equal(managedFields?.length, 1);
  const next = manager.update(stored, { ...structuredClone(stored), spec: 'no map' }, 'v');
  assert.deepEqual(next.metadata.managedFields, managedFields);
});
