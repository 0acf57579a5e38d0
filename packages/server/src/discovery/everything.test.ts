/** Discovery of an API with several versions and every kind of subresource. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everything } from '../../test/everything-api.ts';
import { requestFor } from '../../test/request-fixture.ts';
import { discoveryHandler } from './discovery-handler.ts';

const GROUP = 'everything.example.com';
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const handler = discoveryHandler([everything]);

function read(path: string, accept = 'application/json'): unknown {
  const response = handler(requestFor(path, { headerLines: ['Accept', accept] }));
  assert.equal(response?.kind, 'bytes');
  return JSON.parse(Buffer.concat(response.chunks).toString());
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly [field: string]: unknown;
}

function resources(version: string): Resource[] {
  return (read(`/apis/${GROUP}/${version}`) as { resources: Resource[] }).resources;
}

test('the most stable version comes first and is preferred', () => {
  const { versions, preferredVersion } = read(`/apis/${GROUP}`) as Record<string, unknown>;
  assert.deepEqual(versions, [
    { groupVersion: `${GROUP}/v1`, version: 'v1' },
    { groupVersion: `${GROUP}/v1beta1`, version: 'v1beta1' },
    { groupVersion: `${GROUP}/v1alpha1`, version: 'v1alpha1' },
  ]);
  assert.deepEqual(preferredVersion, { groupVersion: `${GROUP}/v1`, version: 'v1' });
});

const ALL = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const PART = ['get', 'patch', 'update'];
const PROXY = ['create', 'delete', 'get', 'patch', 'update'];
const widgets = [
  ['widgets', 'Widget', ALL],
  ['widgets/console', 'Widget', ['create', 'get']],
  ['widgets/paint', 'Widget', ['create']],
  ['widgets/proxy', 'Widget', PROXY],
  ['widgets/reset', 'WidgetReset', ['create']],
  ['widgets/scale', 'Scale', PART],
  ['widgets/status', 'Widget', PART],
];
const lists = [
  {
    version: 'v1',
    want: [
      ['estimates', 'Estimate', ['create', 'get', 'list']],
      ['shelves', 'Shelf', ['create', 'delete', 'get', 'list', 'watch']],
      ['shelves/dust', 'Shelf', ['create']],
      ...widgets,
    ],
  },
  { version: 'v1beta1', want: widgets },
  { version: 'v1alpha1', want: widgets },
];
for (const { version, want } of lists) {
  test(`${version} lists what is defined, with its verbs`, () => {
    const found = resources(version).map(({ name, kind, verbs }) => [name, kind, verbs]);
    assert.deepEqual(found, want);
  });
}

const foreign = [
  { name: 'widgets/scale', version: 'v1', group: 'autoscaling', kindVersion: 'v1' },
  { name: 'widgets/scale', version: 'v1beta1', group: 'autoscaling', kindVersion: 'v1' },
  { name: 'widgets/reset', version: 'v1', group: undefined, kindVersion: undefined },
  { name: 'widgets/reset', version: 'v1beta1', group: GROUP, kindVersion: 'v1' },
  { name: 'widgets/status', version: 'v1beta1', group: undefined, kindVersion: undefined },
];
for (const { name, version, group, kindVersion } of foreign) {
  test(`${name} in ${version} names the group version of its kind only when it is another`, () => {
    const found = resources(version).find((one) => one.name === name);
    assert.deepEqual([found?.group, found?.version], [group, kindVersion]);
    assert.equal(found?.singularName, '');
    assert.equal(found?.namespaced, true);
  });
}

test('every version has the hash of the stored one, and what is not stored has none', () => {
  const hashOf = (version: string, wanted: string) =>
    resources(version).find(({ name }) => name === wanted)?.storageVersionHash;
  const hash = hashOf('v1', 'widgets');
  assert.match(String(hash), /^[A-Za-z0-9+/]{11}=$/);
  assert.equal(hashOf('v1beta1', 'widgets'), hash);
  assert.equal(hashOf('v1alpha1', 'widgets'), hash);
  assert.notEqual(hashOf('v1', 'shelves'), hash);
  assert.equal(hashOf('v1', 'estimates'), undefined);
  assert.equal(hashOf('v1', 'widgets/status'), undefined);
});

test('names for people stand with the resource only', () => {
  const [main, ...parts] = resources('v1beta1');
  assert.deepEqual(main?.shortNames, ['wd', 'wdg']);
  assert.deepEqual(main?.categories, ['all', 'everything']);
  assert.equal(main?.singularName, 'widget');
  for (const part of parts) assert.ok(!('shortNames' in part) && !('categories' in part));
});

test('the aggregated document has every version, with subresources inside their resource', () => {
  const { items } = read('/apis', AGGREGATED) as {
    items: {
      versions: {
        version: string;
        freshness: string;
        resources: { resource: string; scope: string; subresources?: unknown[] }[];
      }[];
    }[];
  };
  const versions = items[0]?.versions ?? [];
  assert.deepEqual(
    versions.map(({ version, freshness }) => [version, freshness]),
    [
      ['v1', 'Current'],
      ['v1beta1', 'Current'],
      ['v1alpha1', 'Current'],
    ],
  );
  assert.deepEqual(
    versions[0]?.resources.map(({ resource, scope }) => [resource, scope]),
    [
      ['estimates', 'Namespaced'],
      ['shelves', 'Cluster'],
      ['widgets', 'Namespaced'],
    ],
  );
  const own = { group: '', version: '', kind: 'Widget' };
  assert.deepEqual(versions[1]?.resources[0]?.subresources, [
    { subresource: 'console', responseKind: own, verbs: ['create', 'get'] },
    { subresource: 'paint', responseKind: own, verbs: ['create'] },
    { subresource: 'proxy', responseKind: own, verbs: PROXY },
    {
      subresource: 'reset',
      responseKind: { group: GROUP, version: 'v1', kind: 'WidgetReset' },
      verbs: ['create'],
    },
    {
      subresource: 'scale',
      responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      verbs: PART,
    },
    { subresource: 'status', responseKind: own, verbs: PART },
  ]);
});
