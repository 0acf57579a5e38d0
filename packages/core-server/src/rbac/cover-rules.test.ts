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
  { name: 'the same', held: [pods], wanted: pods, want: [] },
  { name: 'nothing is always held', held: [], wanted: { verbs: ['get'] }, want: [] },
  {
    name: 'each part by another rule',
    held: [pods, rule(['list'], [''], ['pods'])],
    wanted: rule(['get', 'list'], [''], ['pods']),
    want: [],
  },
  {
    name: 'one verb is missing',
    held: [pods],
    wanted: rule(['get', 'list'], [''], ['pods']),
    want: [rule(['list'], [''], ['pods'])],
  },
  {
    name: 'another group',
    held: [pods],
    wanted: rule(['get'], ['apps', ''], ['pods']),
    want: [rule(['get'], ['apps'], ['pods'])],
  },
  {
    name: 'everything covers everything',
    held: [all],
    wanted: named(rule(['*', 'x'], ['*', 'y'], ['*', 'a/b']), 'n'),
    want: [],
  },
  {
    name: 'everything covers no path',
    held: [all],
    wanted: urls(['get'], '/a'),
    want: [urls(['get'], '/a')],
  },
  {
    name: 'all verbs are more than each',
    held: [pods],
    wanted: rule(['*'], [''], ['pods']),
    want: [rule(['*'], [''], ['pods'])],
  },
  {
    name: 'all groups are more than each',
    held: [pods],
    wanted: rule(['get'], ['*'], ['pods']),
    want: [rule(['get'], ['*'], ['pods'])],
  },
  {
    name: 'all resources are more than each',
    held: [pods],
    wanted: rule(['get'], [''], ['*']),
    want: [rule(['get'], [''], ['*'])],
  },
  {
    name: 'a resource without its subresource',
    held: [pods],
    wanted: rule(['get'], [''], ['pods/log']),
    want: [rule(['get'], [''], ['pods/log'])],
  },
  {
    name: 'a subresource of anything',
    held: [rule(['get'], [''], ['*/log'])],
    wanted: rule(['get'], [''], ['pods/log', '*/log']),
    want: [],
  },
  {
    name: 'a subresource with a slash',
    held: [rule(['get'], [''], ['*/a/b'])],
    wanted: rule(['get'], [''], ['x/a/b']),
    want: [],
  },
  { name: 'a name of what is held whole', held: [pods], wanted: named(pods, 'a'), want: [] },
  {
    name: 'the whole of what is held by name',
    held: [named(pods, 'a')],
    wanted: pods,
    want: [pods],
  },
  {
    name: 'another name',
    held: [named(pods, 'a')],
    wanted: named(pods, 'a', 'b'),
    want: [named(pods, 'b')],
  },
  {
    name: 'paths below a prefix',
    held: [urls(['get'], '/a/*')],
    wanted: urls(['get'], '/a/b', '/a/b/*', '/a/', '/a'),
    want: [urls(['get'], '/a')],
  },
  {
    name: 'all paths',
    held: [urls(['*'], '*')],
    wanted: urls(['get', '*'], '/a', '*', '/b*'),
    want: [],
  },
  {
    name: 'a prefix that is wider',
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
