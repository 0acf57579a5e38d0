import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeGroups, type OfferedVersion } from './merge-groups.ts';

/** `group/version`, with its priorities: `a/v1 2000 15`. */
function offered(text: string, more: Partial<OfferedVersion> = {}): OfferedVersion {
  const [name = '', groupPriority = '1000', versionPriority = '15'] = text.split(' ');
  const [group = '', version = ''] = name.split('/');
  return {
    group,
    version,
    source: 'remote',
    priority: {
      groupPriorityMinimum: Number(groupPriority),
      versionPriority: Number(versionPriority),
    },
    resources: '[]',
    freshness: 'Current',
    ...more,
  };
}

const orders: { name: string; offered: OfferedVersion[]; legacy: string; aggregated?: string }[] = [
  { name: 'nothing', offered: [], legacy: '' },
  {
    name: 'versions of equal priority by age and maturity',
    offered: [
      'foo10',
      'v11alpha2',
      'v2',
      'v3beta1',
      'v10',
      'v12alpha1',
      'foo1',
      'v1',
      'v11beta2',
      'v10beta3',
    ].map((version) => offered(`a/${version}`)),
    legacy:
      'a/v10 a/v2 a/v1 a/v11beta2 a/v10beta3 a/v3beta1 a/v12alpha1 a/v11alpha2 a/foo1 a/foo10',
  },
  {
    name: 'version priority before everything else',
    offered: [offered('a/v1 1000 1'), offered('a/v1alpha1 1000 2')],
    legacy: 'a/v1alpha1 a/v1',
  },
  {
    name: 'groups by priority, then by name',
    offered: [offered('c/v1 2000'), offered('b/v1'), offered('a/v1'), offered('d/v1 3000')],
    legacy: 'd/v1 c/v1 a/v1 b/v1',
  },
  {
    name: 'the highest priority of its versions is that of a group',
    offered: [offered('a/v1 1000'), offered('b/v1 500'), offered('b/v2 1500')],
    legacy: 'b/v2 b/v1 a/v1',
  },
  {
    name: 'equal groups: one list goes by the name of the registration, the other by that of the group',
    offered: [offered('aaa/v1beta1'), offered('zzz/v1')],
    legacy: 'zzz/v1 aaa/v1beta1',
    aggregated: 'aaa/v1beta1 zzz/v1',
  },
  {
    name: 'the highest priority that can be given comes second',
    offered: [offered('a/v1 20000'), offered('apiregistration.k8s.io/v1 1')],
    legacy: 'apiregistration.k8s.io/v1 a/v1',
  },
  {
    name: 'the core group is elsewhere',
    offered: [offered('/v1'), offered('a/v1')],
    legacy: 'a/v1',
  },
  {
    name: 'what nobody serves is only in the old list',
    offered: [offered('a/v1'), offered('b/v1', { resources: undefined, source: 'custom' })],
    legacy: 'a/v1 b/v1',
    aggregated: 'a/v1',
  },
];
for (const { name, offered: versions, legacy, aggregated = legacy } of orders) {
  for (const [order, given] of [
    ['', versions],
    [', in another order', versions.toReversed()],
  ] as const) {
    test(`${name}${order}`, () => {
      const merged = mergeGroups(given);
      assert.equal(names(merged.legacy), legacy);
      assert.equal(names(merged.aggregated), aggregated);
    });
  }
}

const built = offered('a/v1', { source: 'built-in', resources: '"built-in"' });
const custom = offered('a/v1', { source: 'custom', resources: '"custom"' });
const remote = offered('a/v1', { source: 'remote', resources: '"remote"' });
const overlaps = [
  { name: 'remote over built-in', given: [built, remote], wins: '"remote"' },
  { name: 'remote over custom', given: [custom, remote], wins: '"remote"' },
  { name: 'built-in over custom', given: [custom, built], wins: '"built-in"' },
  { name: 'what is left after a remote one is gone', given: [custom], wins: '"custom"' },
];
for (const { name, given, wins } of overlaps) {
  test(`one group version, once: ${name}`, () => {
    for (const order of [given, given.toReversed()]) {
      const [group, ...more] = mergeGroups(order).aggregated;
      assert.deepEqual(more, []);
      assert.deepEqual(
        group?.versions.map(({ resources }) => resources),
        [wins],
      );
    }
  });
}

test('versions of one group from several sources are listed together', () => {
  const other = offered('a/v2', { source: 'custom' });
  assert.equal(names(mergeGroups([remote, custom, built, other]).aggregated), 'a/v2 a/v1');
});

function names(groups: readonly { versions: readonly OfferedVersion[] }[]): string {
  return groups
    .flatMap(({ versions }) => versions.map(({ group, version }) => `${group}/${version}`))
    .join(' ');
}
