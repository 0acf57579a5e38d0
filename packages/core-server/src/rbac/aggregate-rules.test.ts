import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterRole, rule } from '../../test/policy-fixture.ts';
import { aggregatedRoles, aggregateRules } from './aggregate-rules.ts';
import { bootstrapPolicy } from './bootstrap-policy.ts';
import type { ClusterRole, LabelSelectorTerms, PolicyRule } from './types.ts';

function labelled(
  name: string,
  labels: Record<string, string>,
  ...rules: PolicyRule[]
): ClusterRole {
  return { ...clusterRole(name, ...rules), metadata: { name, labels } };
}

function aggregating(...clusterRoleSelectors: LabelSelectorTerms[]): ClusterRole {
  return { ...clusterRole('all'), aggregationRule: { clusterRoleSelectors } };
}

const [one, two, three] = ['one', 'two', 'three'].map((name) => rule(['get'], [''], [name])) as [
  PolicyRule,
  PolicyRule,
  PolicyRule,
];
const others = [
  labelled('z', { to: 'all' }, one, two),
  labelled('b', { to: 'all', also: 'x' }, two, three),
  labelled('other', { to: 'none' }, rule(['*'], ['*'], ['*'])),
  clusterRole('bare', rule(['*'], ['*'], ['*'])),
];
const toAll = { matchLabels: { to: 'all' } };
const cases = [
  {
    name: 'rules come in the order of role names, each rule once',
    role: aggregating(toAll),
    want: [two, three, one],
  },
  {
    name: 'rules come in the order of the selectors',
    role: aggregating(
      {
        matchExpressions: [
          { key: 'to', operator: 'In', values: ['all'] },
          { key: 'also', operator: 'DoesNotExist' },
        ],
      },
      toAll,
    ),
    want: [one, two, three],
  },
  {
    name: 'a role that selects itself does not get its own rules',
    role: { ...aggregating(toAll), metadata: { name: 'b', labels: { to: 'all' } } },
    want: [one, two],
  },
  {
    name: 'a selector that matches no role yields no rules',
    role: aggregating({ matchLabels: { to: 'nobody' } }),
    want: [],
  },
  { name: 'an empty list of selectors yields no rules', role: aggregating(), want: [] },
];
for (const { name, role, want } of cases) {
  test(name, () => assert.deepEqual(aggregateRules(role, others)?.rules, want));
}

test('equal rules are not a change', () => {
  const role = aggregating(toAll);
  assert.equal(aggregateRules(role, others)?.changed, true);
  assert.equal(aggregateRules({ ...role, rules: [two, three, one] }, others)?.changed, false);
  const withEmpty = [{ ...two, resourceNames: [] }, three, one];
  assert.equal(aggregateRules({ ...role, rules: withEmpty }, others)?.changed, false);
  assert.equal(aggregateRules({ ...role, rules: [one, two, three] }, others)?.changed, true);
  assert.equal(aggregateRules({ ...aggregating(), rules: null }, others)?.changed, false);
});

test('a role without aggregationRule has no aggregated rules, and an invalid selector is an error', () => {
  assert.equal(aggregateRules(clusterRole('x', one), others), undefined);
  const bad = aggregating({ matchExpressions: [{ key: 'a', operator: 'Like' }] });
  assert.throws(() => aggregateRules(bad, others), /"all": .*Like.* is not a valid label selector/);
});

test('the rules of view are in edit, and those of edit in admin', () => {
  const all = bootstrapPolicy().clusterroles;
  // Aggregated roles may select other aggregated roles, so aggregation is repeated until nothing changes.
  for (let round = 0; round < 3; round += 1) {
    for (const role of aggregatedRoles(all))
      role.rules = [...(aggregateRules(role, all)?.rules ?? [])];
  }
  const rulesOf = (name: string): Set<string> =>
    new Set(
      all.find(({ metadata }) => metadata.name === name)?.rules?.map((one) => JSON.stringify(one)),
    );
  const [view, edit, admin] = [rulesOf('view'), rulesOf('edit'), rulesOf('admin')];
  assert.ok(view.size > 5 && view.isSubsetOf(edit) && edit.isSubsetOf(admin));
  assert.ok(view.size < edit.size && edit.size < admin.size);
  assert.ok(aggregatedRoles(all).every((role) => aggregateRules(role, all)?.changed === false));
});
