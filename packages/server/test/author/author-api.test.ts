/** The author's API, as three servers use it: what their definitions say, and what does not compile. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@tributary/apimachinery';
import { systemClock } from '@tributary/storage';
import fc from 'fast-check';
import Type from 'typebox';
import { storedForm } from '../../src/conversion/stored-form.ts';
import {
  allow,
  defineResource,
  forbid,
  type ResourceDefinition,
  version,
} from '../../src/index.ts';
import { projection } from '../../src/projection/index.ts';
import { FakeSource } from '../projection/fake-source.ts';
import { secretsSource } from '../projection/secrets-source.ts';
import { Foo, hello } from './foo.ts';
import { rancherTokens, type Secret } from './ranchertokens.ts';
import { type Hypervisor, virtualMachines } from './virtual-machine.ts';

const nowhere: Hypervisor = {
  start: async () => {},
  stop: async () => {},
  nodes: () => [],
  console: async () => {},
  screen: async () => {},
};

function only(resources: readonly ResourceDefinition[]): ResourceDefinition {
  const [resource, ...more] = resources;
  assert.ok(resource);
  assert.equal(more.length, 0);
  return resource;
}

function said(resource: ResourceDefinition) {
  const { storageVersion, versions, conversions, subresources, verbs, backing } = resource;
  return {
    stored: storageVersion,
    versions: [...versions.keys()],
    conversions: [...conversions.keys()],
    status: subresources.status,
    custom: [...subresources.custom].map(([name, { type }]) => `${type} ${name}`),
    verbs: verbs.length,
    livesIn: backing?.kind,
  };
}

const definitions = [
  {
    name: 'tokens over Secrets',
    resource: only(rancherTokens(secretsSource(new FakeSource())).resources),
    says: {
      stored: 'v1alpha1',
      versions: ['v1alpha1'],
      conversions: [],
      status: false,
      custom: [],
      verbs: 8,
      livesIn: 'storage',
    },
  },
  {
    name: 'a Foo in two versions',
    resource: only(hello.resources),
    says: {
      stored: 'v2',
      versions: ['v1', 'v2'],
      conversions: ['v1'],
      status: true,
      custom: [],
      verbs: 8,
      livesIn: undefined,
    },
  },
  {
    name: 'virtual machines',
    resource: only(virtualMachines(nowhere).resources),
    says: {
      stored: 'v1',
      versions: ['v1'],
      conversions: [],
      status: true,
      custom: ['action start', 'action stop', 'action migrate', 'connect console', 'connect vnc'],
      verbs: 8,
      livesIn: undefined,
    },
  },
];

for (const { name, resource, says } of definitions) {
  test(`the definition of ${name} says what it serves`, () => {
    assert.deepEqual(said(resource), says);
  });
}

/** As JSON is parsed. */
const plain = { noNullPrototype: true } as const;
const word = fc.string({ minLength: 1, maxLength: 12 });
const message = fc.record({ msg: word, description: word }, { ...plain, requiredKeys: ['msg'] });
const status = fc.record(
  {
    phase: fc.constantFrom('Processing', 'Ready'),
    conditions: fc.array(
      fc.record(
        { type: word, status: fc.constantFrom('True', 'False', 'Unknown'), message: word },
        { ...plain, requiredKeys: ['type', 'status'] },
      ),
      { maxLength: 3 },
    ),
  },
  { ...plain, requiredKeys: [] },
);
const metadata = fc.record(
  { name: word, annotations: fc.dictionary(word, word, { ...plain, minKeys: 1 }) },
  { ...plain, requiredKeys: ['name'] },
);
const fooV1 = fc.record({ metadata, spec: message }, plain);
const fooV2 = fc.record(
  { metadata, spec: fc.record({ image: word, config: message }, plain), status },
  { ...plain, requiredKeys: ['metadata', 'spec'] },
);

describe('the conversions of Foo', () => {
  const conversion = Foo.conversions.get('v1');
  assert.ok(conversion);
  const { toStorage, fromStorage } = conversion;
  /** As the server does it: metadata that a conversion does not give stays as it was. */
  const converted = (convert: (object: KubeObject) => object, object: object): object => ({
    metadata: Reflect.get(object, 'metadata'),
    ...convert({ apiVersion: '', kind: 'Foo', metadata: {}, ...object }),
  });

  test('lose nothing of v2 on the way to v1 and back', () => {
    fc.assert(
      fc.property(fooV2, (foo) => {
        const before = structuredClone(foo);
        assert.deepEqual(converted(toStorage, converted(fromStorage, foo)), before);
        assert.deepEqual(foo, before, 'what is given is not changed');
      }),
    );
  });

  test('lose nothing of v1 on the way to v2 and back', () => {
    fc.assert(
      fc.property(fooV1, (foo) => {
        assert.deepEqual(converted(fromStorage, converted(toStorage, foo)), foo);
      }),
    );
  });

  const strange = ['', '{', 'null', '[]', '{"image":7}', '{"status":{"phase":"Gone"}}'];
  for (const text of strange) {
    test(`take the annotation ${JSON.stringify(text)} of a client for nothing`, () => {
      const annotations = { 'hello.zeng.dev/only-v2': text };
      const foo = { metadata: { name: 'a', annotations }, spec: { msg: 'hello' } };
      assert.deepEqual(converted(toStorage, foo), {
        metadata: { name: 'a' },
        spec: { image: 'busybox:1.36', config: { msg: 'hello' } },
      });
    });
  }
});

describe('the projection of tokens', () => {
  const form = storedForm('tomlebreux.com/v1alpha1', 'RancherToken');
  const token = fc.record({
    metadata: fc.record(
      {
        name: fc.constantFrom('a', 'b'),
        namespace: fc.constant('eu'),
        uid: fc.uuid(),
        creationTimestamp: fc.constant('2024-01-01T00:00:00Z'),
        deletionTimestamp: fc.constant('2024-01-02T00:00:00Z'),
        generation: fc.nat(),
        labels: fc.dictionary(word, word, { ...plain, minKeys: 1 }),
        annotations: fc.dictionary(word, word, { ...plain, minKeys: 1 }),
        finalizers: fc.array(word, { minLength: 1, maxLength: 2 }),
      },
      { ...plain, requiredKeys: ['name', 'namespace', 'uid', 'creationTimestamp'] },
    ),
    spec: fc.record({ userID: word, ttlSeconds: fc.nat(), enabled: fc.boolean() }),
    status: fc.record({ hash: word }),
  });

  test('gives every token back from its Secret', async () => {
    const fake = new FakeSource();
    const { backing } = only(rancherTokens(secretsSource(fake)).resources);
    assert.ok(backing?.kind === 'storage');
    const layout = { prefix: '', namespaced: true, clock: systemClock, ...form };
    await using storage = backing.open(layout);
    await fc.assert(
      fc.asyncProperty(token, async (object) => {
        const key = `eu/${object.metadata.name}`;
        const value = form.encode({ apiVersion: '', kind: '', ...object });
        const result = await storage.commit({ require: [], writes: [{ kind: 'put', key, value }] });
        assert.equal(result.outcome, 'written');
        const stored = JSON.parse(Buffer.from((await storage.get(key))?.value ?? []).toString());
        assert.deepEqual(stored, JSON.parse(Buffer.from(value).toString()));
      }),
    );
  });
});

/** Each would compile if the API were less exact: an error that goes away fails the type check of the tests. */
export function doesNotCompile(): unknown[] {
  const spec = Type.Object({ size: Type.Integer() });
  const small = version({ spec });
  const large = version({ spec: Type.Object({ bytes: Type.Integer() }) });
  const base = { kind: 'Disk', plural: 'disks', scope: 'Cluster' } as const;
  return [
    version({
      spec,
      // @ts-expect-error a column of a field that the schema does not have
      columns: [{ name: 'Length', cell: (disk) => disk.spec.length }],
    }),
    version({
      spec,
      // @ts-expect-error a rule about a field that the schema does not have
      validate: (disk) => (disk.spec.length > 1 ? [] : []),
    }),
    defineResource({
      ...base,
      storageVersion: 'v2',
      versions: { v1: small, v2: large },
      conversions: {
        v1: {
          // @ts-expect-error the stored version has bytes
          toStorage: ({ spec: { size } }) => ({ spec: { octets: size } }),
          // @ts-expect-error the stored version has no octets
          fromStorage: ({ spec: { octets } }) => ({ spec: { size: octets } }),
        },
      },
    }),
    defineResource({
      ...base,
      storageVersion: 'v2',
      versions: { v1: small, v2: large },
      // @ts-expect-error v1 has no conversion
      conversions: {},
    }),
    defineResource({
      ...base,
      storageVersion: 'v2',
      versions: { v1: small, v2: large },
      conversions: {
        v1: {
          toStorage: ({ spec: { size } }) => ({ spec: { bytes: size } }),
          fromStorage: ({ spec: { bytes } }) => ({ spec: { size: bytes } }),
        },
      },
      // @ts-expect-error rules see the stored version, which has no size
      admit: { create: ({ object }) => (object.spec.size > 1 ? allow : forbid('too small')) },
    }),
    defineResource({
      ...base,
      versions: { v1: small },
      subresources: {
        actions: {
          grow: {
            body: Type.Object({ by: Type.Integer() }),
            // @ts-expect-error the body has another field
            run: async ({ body }) => body.to,
          },
        },
      },
    }),
    defineResource({
      ...base,
      versions: { v1: small },
      backing: projection({
        version: small,
        source: secretsSource(new FakeSource()),
        // @ts-expect-error a disk has a size
        toObject: (secret) => ({ metadata: secret.metadata, spec: { length: 1 } }),
        // @ts-expect-error a disk has no length
        toItem: ({ metadata, spec: { length } }): Secret => ({ metadata, data: { length } }),
      }),
    }),
    defineResource({
      ...base,
      versions: { v1: small },
      // @ts-expect-error the projection is one of other objects
      backing: projection({
        version: large,
        source: secretsSource(new FakeSource()),
        toObject: ({ metadata }) => ({ metadata, spec: { bytes: 1 } }),
        toItem: ({ metadata }) => ({ metadata }),
      }),
    }),
  ];
}
