import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeGroups, type OfferedVersion } from '../discovery/merge-groups.ts';
import { clusterVersions } from './cluster-versions.ts';

const cases = [
  {
    name: 'groups of Kubernetes and of custom resources',
    served: ['apps/v1', 'policy/v1', 'a.example.com/v1', 'b.example.com/v1'],
  },
  {
    name: 'custom groups in an order that only their priorities explain',
    served: ['apps/v1', 'z.example.com/v1', 'a.example.com/v1', 'm.example.com/v1beta1'],
  },
  {
    name: 'a group that comes before those of Kubernetes, or between them',
    served: ['first.example.com/v1', 'apps/v1', 'metrics.k8s.io/v1beta1', 'policy/v1', 'z.io/v1'],
  },
  { name: 'versions in an order of their own', served: ['a.io/v1alpha1', 'a.io/v2', 'a.io/v1'] },
];

for (const { name, served } of cases) {
  test(`the order of the cluster stays: ${name}`, () => {
    const offered = clusterVersions(new Map(served.map((one) => [one, [resource]])));
    const { legacy, aggregated } = mergeGroups(offered);
    for (const list of [legacy, aggregated]) {
      const versions = list.flatMap((group) => group.versions);
      assert.deepEqual(
        versions.map((one) => `${one.group}/${one.version}`),
        served,
      );
    }
  });
}

test('what is registered here comes where its priority puts it, and in place of the cluster’s', () => {
  const own: OfferedVersion = {
    group: 'a.io',
    version: 'v1',
    source: 'remote',
    priority: { groupPriorityMinimum: 2000, versionPriority: 10 },
    resources: '["own"]',
    freshness: 'Current',
  };
  const served = ['apps/v1', 'b.io/v1', 'a.io/v1', 'a.io/v2'];
  const cluster = clusterVersions(new Map(served.map((one) => [one, [resource]])));
  const { aggregated } = mergeGroups([own, ...cluster]);
  assert.deepEqual(
    aggregated.map((group) => group.name),
    ['apps', 'a.io', 'b.io'],
  );
  const versions = aggregated[1]?.versions.map(({ version, resources }) => [version, resources]);
  assert.deepEqual(versions, [
    ['v2', JSON.stringify([resource])],
    ['v1', '["own"]'],
  ]);
});

test('the core group and APIServices are not the cluster’s to list', () => {
  const offered = clusterVersions(
    new Map([
      ['v1', [resource]],
      ['apiregistration.k8s.io/v1', [resource]],
    ]),
  );
  assert.deepEqual(offered, []);
});

test('a version without resources is one that the cluster could not ask for', () => {
  const [offered] = clusterVersions(new Map([['a.io/v1', []]]));
  assert.equal(offered?.freshness, 'Stale');
});

const resource = {
  resource: 'things',
  responseKind: { group: '', version: '', kind: 'Thing' },
  scope: 'Cluster',
  singularResource: 'thing',
  verbs: ['get'],
} as const;
