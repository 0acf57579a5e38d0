import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rule } from '../../test/policy-fixture.ts';
import { uncoveredRules } from './cover-rules.ts';
import type { PolicyRule } from './types.ts';

const named = (base: PolicyRule, ...resourceNames: string[]): PolicyRule => ({
  ...base,
  resourceNames,
});
const urls = (verbs: string[], ...nonResourceURLs: string[]): PolicyRule => ({
  verbs,
  nonResourceURLs,
});
const pods = rule(['get'], [''], ['pods']);
const all = rule(['*'], ['*'], ['*']);

const cases: { name: string; held: PolicyRule[]; wanted: PolicyRule; want: PolicyRule[] }[] = [
  { name: 'the same rule is covered', held: [pods], wanted: pods, want: [] },
  { name: 'a rule without resources is covered', held: [], wanted: { verbs: ['get'] }, want: [] },
  {
    name: 'each part may be covered by another rule',
    held: [pods, rule(['list'], [''], ['pods'])],
    wanted: rule(['get', 'list'], [''], ['pods']),
    want: [],
  },
  {
    name: 'a missing verb is not covered',
    held: [pods],
    wanted: rule(['get', 'list'], [''], ['pods']),
    want: [rule(['list'], [''], ['pods'])],
  },
  {
    name: 'a missing group is not covered',
    held: [pods],
    wanted: rule(['get'], ['apps', ''], ['pods']),
    want: [rule(['get'], ['apps'], ['pods'])],
  },
  {
    name: 'wildcards cover all resources',
    held: [all],
    wanted: named(rule(['*', 'x'], ['*', 'y'], ['*', 'a/b']), 'n'),
    want: [],
  },
  {
    name: 'wildcards for resources cover no path',
    held: [all],
    wanted: urls(['get'], '/a'),
    want: [urls(['get'], '/a')],
  },
  {
    name: 'a wildcard verb is not covered by single verbs',
    held: [pods],
    wanted: rule(['*'], [''], ['pods']),
    want: [rule(['*'], [''], ['pods'])],
  },
  {
    name: 'a wildcard group is not covered by single groups',
    held: [pods],
    wanted: rule(['get'], ['*'], ['pods']),
    want: [rule(['get'], ['*'], ['pods'])],
  },
  {
    name: 'a wildcard resource is not covered by single resources',
    held: [pods],
    wanted: rule(['get'], [''], ['*']),
    want: [rule(['get'], [''], ['*'])],
  },
  {
    name: 'a resource does not cover its subresource',
    held: [pods],
    wanted: rule(['get'], [''], ['pods/log']),
    want: [rule(['get'], [''], ['pods/log'])],
  },
  {
    name: 'a subresource of any resource is covered by its wildcard',
    held: [rule(['get'], [''], ['*/log'])],
    wanted: rule(['get'], [''], ['pods/log', '*/log']),
    want: [],
  },
  {
    name: 'a subresource may contain a slash',
    held: [rule(['get'], [''], ['*/a/b'])],
    wanted: rule(['get'], [''], ['x/a/b']),
    want: [],
  },
  {
    name: 'a name is covered by a rule without names',
    held: [pods],
    wanted: named(pods, 'a'),
    want: [],
  },
  {
    name: 'a rule without names is not covered by one with names',
    held: [named(pods, 'a')],
    wanted: pods,
    want: [pods],
  },
  {
    name: 'a missing name is not covered',
    held: [named(pods, 'a')],
    wanted: named(pods, 'a', 'b'),
    want: [named(pods, 'b')],
  },
  {
    name: 'paths below a held prefix are covered',
    held: [urls(['get'], '/a/*')],
    wanted: urls(['get'], '/a/b', '/a/b/*', '/a/', '/a'),
    want: [urls(['get'], '/a')],
  },
  {
    name: 'the path * covers all paths',
    held: [urls(['*'], '*')],
    wanted: urls(['get', '*'], '/a', '*', '/b*'),
    want: [],
  },
  {
    name: 'a wider prefix is not covered',
    held: [urls(['get'], '/a/*')],
    wanted: urls(['get'], '/a*'),
    want: [urls(['get'], '/a*')],
  },
  {
    name: 'a rule that also has names grants no path',
    held: [{ ...urls(['get'], '/a'), resourceNames: ['x'] }],
    wanted: urls(['get'], '/a'),
    want: [urls(['get'], '/a')],
  },
];

for (const { name, held, wanted, want } of cases) {
  test(name, () => assert.deepEqual(uncoveredRules(held, [wanted]), want));
}
