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

const nobody = () => {
  throw new Error('nobody converts');
};

test('names are those that were accepted', () => {
  const { group, definition } = compileDefinition(definitionOf([versionOf('v1')]), nobody);
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

test('schemas are not read before they are needed', () => {
  const unreadable = { openAPIV3Schema: { type: 'object' } };
  Object.defineProperty(unreadable.openAPIV3Schema, 'properties', {
    get: () => assert.fail('the schema was read'),
  });
  compileDefinition(definitionOf([versionOf('v1', { schema: unreadable })]), nobody);
});

test('what goes takes nothing new, and says so in discovery', async () => {
  const going = definitionOf([versionOf('v1')], { deletionTimestamp: '2020-01-01T00:00:00Z' });
  const { discoveryVerbs, admit, verbs } = compileDefinition(going, nobody).definition;
  assert.deepEqual(discoveryVerbs, ['delete', 'deletecollection', 'get', 'list', 'watch']);
  assert.ok(verbs.includes('patch'), 'finalizers can be taken away');
  const verdict = await admit.create?.({} as never);
  assert.deepEqual(verdict, {
    allowed: false,
    reason: 'create not allowed while custom resource definition is terminating',
  });
});

test('what serves nothing is reachable while it goes', () => {
  const unserved = [versionOf('v1', { served: false }), versionOf('v2', { served: false })];
  const servedOf = (more: { deletionTimestamp?: string }) =>
    [...compileDefinition(definitionOf(unserved, more), nobody).definition.versions]
      .filter(([, { served }]) => served)
      .map(([name]) => name);
  assert.deepEqual(servedOf({}), []);
  assert.deepEqual(servedOf({ deletionTimestamp: '2020-01-01T00:00:00Z' }), ['v1']);
});

describe('warnings of deprecated versions', () => {
  const deprecated = { deprecated: true };
  const rows: readonly [string, CustomResourceDefinitionVersion[], string | undefined][] = [
    ['of one that is not', [versionOf('v1')], undefined],
    ['without a better one', [versionOf('v1', deprecated)], 'g.example.com/v1 Thing is deprecated'],
    [
      'with better ones',
      [versionOf('v1', deprecated), versionOf('v3'), versionOf('v2')],
      'g.example.com/v1 Thing is deprecated; use g.example.com/v3 Thing',
    ],
    [
      'with others that are no better',
      [versionOf('v1', deprecated), versionOf('v2beta1'), versionOf('v3', { served: false })],
      'g.example.com/v1 Thing is deprecated',
    ],
    [
      'in words of its own',
      [versionOf('v1', { ...deprecated, deprecationWarning: 'gone soon' })],
      'gone soon',
    ],
  ];
  for (const [name, versions, want] of rows) {
    test(name, () => {
      const { definition } = compileDefinition(definitionOf(versions), nobody);
      assert.equal(definition.versions.get('v1')?.deprecated, want);
    });
  }
});

test('what another version does not know is lost on the way there, and nothing is changed', () => {
  const versions = [versionOf('v1'), versionOf('v2', { schema: schema('a', 'b') })];
  const { conversions } = compileDefinition(definitionOf(versions), nobody).definition;
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

test('a webhook converts between all versions, and what it makes is pruned', async () => {
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
