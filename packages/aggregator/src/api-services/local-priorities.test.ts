import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiDefinition } from '@tributary/server';
import { customVersions, localPriorities, localPriority } from './local-priorities.ts';

const cases: readonly [group: string, version: string, groupPriority: number, own: number][] = [
  ['', 'v1', 18_000, 1],
  ['rbac.authorization.k8s.io', 'v1', 17_000, 15],
  ['flowcontrol.apiserver.k8s.io', 'v1', 16_100, 21],
  ['resource.k8s.io', 'v1alpha3', 16_200, 1],
  ['autoscaling', 'v2', 17_500, 30],
  ['events.k8s.io', 'v9', 17_750, 1],
  ['aggregation.tributary.dev', 'v1', 1_000, 100],
  ['wardle.example.com', 'v1alpha1', 1_000, 100],
  ['constructor', 'v1', 1_000, 100],
  ['__proto__', 'v1', 1_000, 100],
  ['apps', 'toString', 17_800, 1],
];
for (const [group, version, groupPriorityMinimum, versionPriority] of cases) {
  test(`${group || 'core'}/${version}`, () => {
    assert.deepEqual(localPriority(group, version), { groupPriorityMinimum, versionPriority });
  });
}

test('every version of every group, and not the group of APIServices', () => {
  const api = (group: string, versions: string[]): ApiDefinition => ({
    group,
    versions,
    resources: [],
  });
  const all = localPriorities([
    api('', ['v1']),
    api('apiregistration.k8s.io', ['v1']),
    api('a.example.com', ['v1', 'v1beta1']),
  ]);
  assert.deepEqual(
    all.map(({ group, version }) => `${group}/${version}`),
    ['/v1', 'a.example.com/v1', 'a.example.com/v1beta1'],
  );
});

test('custom resources are all that is served beside what is served from the start', () => {
  const api = (group: string, versions: string[]): ApiDefinition => ({
    group,
    versions,
    resources: [],
  });
  const builtIn = localPriorities([api('apps', ['v1'])]);
  const live = [
    api('apps', ['v1', 'v7']),
    api('apiregistration.k8s.io', ['v1']),
    api('a.b', ['v1']),
  ];
  const priority = { groupPriorityMinimum: 1_000, versionPriority: 100 };
  assert.deepEqual(customVersions(live, builtIn), [
    { group: 'apps', version: 'v7', ...priority },
    { group: 'a.b', version: 'v1', ...priority },
  ]);
});
