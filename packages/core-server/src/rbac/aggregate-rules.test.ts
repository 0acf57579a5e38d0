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

function gathering(...clusterRoleSelectors: LabelSelectorTerms[]): ClusterRole {
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
  { name: 'by name, each rule once', role: gathering(toAll), want: [two, three, one] },
  {
    name: 'selector by selector',
    role: gathering(
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
    name: 'never its own',
    role: { ...gathering(toAll), metadata: { name: 'b', labels: { to: 'all' } } },
    want: [one, two],
  },
  { name: 'nothing matches', role: gathering({ matchLabels: { to: 'nobody' } }), want: [] },
  { name: 'no selector', role: gathering(), want: [] },
];
for (const { name, role, want } of cases) {
  test(name, () => assert.deepEqual(aggregateRules(role, others)?.rules, want));
}

test('what is already there is no change', () => {
  const role = gathering(toAll);
  assert.equal(aggregateRules(role, others)?.changed, true);
  assert.equal(aggregateRules({ ...role, rules: [two, three, one] }, others)?.changed, false);
  const withEmpty = [{ ...two, resourceNames: [] }, three, one];
  assert.equal(aggregateRules({ ...role, rules: withEmpty }, others)?.changed, false);
  assert.equal(aggregateRules({ ...role, rules: [one, two, three] }, others)?.changed, true);
  assert.equal(aggregateRules({ ...gathering(), rules: null }, others)?.changed, false);
});

test('others gather nothing, and a selector that is none is an error', () => {
  assert.equal(aggregateRules(clusterRole('x', one), others), undefined);
  const bad = gathering({ matchExpressions: [{ key: 'a', operator: 'Like' }] });
  assert.throws(() => aggregateRules(bad, others), /"all": .*Like.* is no selector/);
});

test('view is in edit, and edit is in admin', () => {
  const all = bootstrapPolicy().clusterroles;
  // What one gathers may be gathered by the next, so rounds are made until nothing changes.
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
