import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '@tributary/api/apiextensions-v1';
import type { Conversion } from '@tributary/server';
import { compileDefinition } from './compile-definition.ts';

const schema = (...fields: readonly string[]) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])),
      },
    },
  },
});
const versionOf = (name: string, more: Partial<CustomResourceDefinitionVersion> = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: schema('a'),
  ...more,
});

function definitionOf(
  versions: CustomResourceDefinitionVersion[],
  more: { deletionTimestamp?: string; strategy?: string } = {},
): CustomResourceDefinition {
  const { deletionTimestamp, strategy = 'None' } = more;
  const names = { plural: 'things', kind: 'Thing', listKind: 'Things', singular: 'thing' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.g.example.com', ...(deletionTimestamp && { deletionTimestamp }) },
    spec: {
      group: 'g.example.com',
      scope: 'Namespaced',
      names,
      versions,
      conversion: { strategy },
    },
    status: {
      acceptedNames: { ...names, shortNames: ['th'], categories: ['all'] },
      conditions: [],
      storedVersions: ['v1'],
    },
  };
}

const noConverter = () => {
  throw new Error('no converter');
};

test('names are the accepted ones', () => {
  const { group, definition } = compileDefinition(definitionOf([versionOf('v1')]), noConverter);
  const { kind, listKind, plural, singular, shortNames, categories } = definition;
  assert.deepEqual(
    { group, kind, listKind, plural, singular, shortNames, categories },
    {
      group: 'g.example.com',
      kind: 'Thing',
      listKind: 'Things',
      plural: 'things',
      singular: 'thing',
      shortNames: ['th'],
      categories: ['all'],
    },
  );
});

test('schemas are compiled at first use', () => {
  const unreadable = { openAPIV3Schema: { type: 'object' } };
  Object.defineProperty(unreadable.openAPIV3Schema, 'properties', {
    get: () => assert.fail('the schema was compiled'),
  });
  compileDefinition(definitionOf([versionOf('v1', { schema: unreadable })]), noConverter);
});

test('a terminating definition rejects creates and omits verbs in discovery', async () => {
  const terminating = definitionOf([versionOf('v1')], {
    deletionTimestamp: '2020-01-01T00:00:00Z',
  });
  const {
    discoveryVerbs: offers,
    admit,
    verbs,
  } = compileDefinition(terminating, noConverter).definition;
  assert.deepEqual(offers, ['delete', 'deletecollection', 'get', 'list', 'watch']);
  assert.ok(verbs.includes('patch'), 'finalizers can be removed');
  const decision = await admit.create?.({} as never);
  assert.deepEqual(decision, {
    allowed: false,
    reason: 'create not allowed while custom resource definition is terminating',
  });
});

test('a terminating definition serves its storage version', () => {
  const unserved = [versionOf('v1', { served: false }), versionOf('v2', { served: false })];
  const servedOf = (more: { deletionTimestamp?: string }) =>
    [...compileDefinition(definitionOf(unserved, more), noConverter).definition.versions]
      .filter(([, { served }]) => served)
      .map(([name]) => name);
  assert.deepEqual(servedOf({}), []);
  assert.deepEqual(servedOf({ deletionTimestamp: '2020-01-01T00:00:00Z' }), ['v1']);
});

describe('warnings of deprecated versions', () => {
  const deprecated = { deprecated: true };
  const rows: readonly [string, CustomResourceDefinitionVersion[], string | undefined][] = [
    ['of a version that is not deprecated', [versionOf('v1')], undefined],
    [
      'without a newer version',
      [versionOf('v1', deprecated)],
      'g.example.com/v1 Thing is deprecated',
    ],
    [
      'with newer versions',
      [versionOf('v1', deprecated), versionOf('v3'), versionOf('v2')],
      'g.example.com/v1 Thing is deprecated; use g.example.com/v3 Thing',
    ],
    [
      'with older or unserved versions',
      [versionOf('v1', deprecated), versionOf('v2beta1'), versionOf('v3', { served: false })],
      'g.example.com/v1 Thing is deprecated',
    ],
    [
      'with a custom warning',
      [versionOf('v1', { ...deprecated, deprecationWarning: 'gone soon' })],
      'gone soon',
    ],
  ];
  for (const [name, versions, want] of rows) {
    test(name, () => {
      const { definition } = compileDefinition(definitionOf(versions), noConverter);
      assert.equal(definition.versions.get('v1')?.deprecated, want);
    });
  }
});

test('conversion prunes unknown fields in a copy', () => {
  const versions = [versionOf('v1'), versionOf('v2', { schema: schema('a', 'b') })];
  const { conversions } = compileDefinition(definitionOf(versions), noConverter).definition;
  const conversion = conversions.get('v2') as Conversion;
  const sent = {
    apiVersion: 'g.example.com/v2',
    kind: 'Thing',
    metadata: { name: 'x' },
    spec: { a: '1', b: '2' },
  };
  assert.deepEqual(conversion.toStorage(sent), { metadata: { name: 'x' }, spec: { a: '1' } });
  assert.deepEqual(sent.spec, { a: '1', b: '2' });
});

test('a webhook converts between all versions, and its results are pruned', async () => {
  const versions = [versionOf('v1'), versionOf('v2'), versionOf('v3')];
  const { remoteConversions } = compileDefinition(
    definitionOf(versions, { strategy: 'Webhook' }),
    () => ({
      convert: async (objects, { to }) =>
        objects.map((one) => ({ ...one, apiVersion: to, spec: { a: 'x', unknown: 'y' } })),
    }),
  ).definition;
  const conversion = remoteConversions.get('v3');
  assert.ok(conversion !== undefined);
  const between = { from: 'g.example.com/v1', to: 'g.example.com/v3' };
  const object = { apiVersion: between.from, kind: 'Thing', metadata: { name: 'x' } };
  const [made] = await conversion.convert([object], between, new AbortController().signal);
  assert.deepEqual(made, { ...object, apiVersion: between.to, spec: { a: 'x' } });
});
