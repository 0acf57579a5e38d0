import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Covers, Row } from '../interop/differential/row.ts';
import type { Lists } from '../interop/differential/verdict.ts';
import { documents, type Evidence, renderClaims, renderConformance } from './conformance.ts';

test('the committed documents match the table and the lists', async () => {
  for (const { path, render } of await documents()) {
    const committed = existsSync(path) ? await readFile(path, 'utf8') : '';
    assert.equal(committed, render(committed), `${path}; run: npm run update:conformance`);
  }
});

function row(name: string, covers: Covers): Row {
  return { name, covers, steps: [] };
}

const kind = 'flunders.v1alpha1';
const evidence: Evidence = {
  subject: 'our sample',
  reference: 'sample v1',
  kinds: { [kind]: 'Flunder v1alpha1' },
  rows: [
    row('g1', { kind, verb: 'get' }),
    row('l1', { kind, verb: 'list' }),
    row('l2', { kind, verb: 'list' }),
    row('w1', { kind, verb: 'watch' }),
    row('d1', { feature: 'discovery' }),
  ],
  lists: {
    differences: [{ id: 'columns', rows: [], path: /x/, benefit: 'more to see' }],
    todoRows: [{ issue: 4, why: 'later', rows: ['l2', 'w1'] }],
    todoPaths: [{ id: 'm', issue: 5, why: 'owners are not tracked', path: /m/ }],
  } satisfies Lists,
};

test('a verb is proven when all its rows pass', () => {
  const text = renderConformance([evidence]);
  assert.match(text, /\| Flunder v1alpha1 \| proven 1 \| stored 1\/2 \| absent 0\/1 \| – /);
  assert.match(text, /\| discovery \| proven 1 \|/);
  assert.match(
    text,
    /## The Go sample v1 and our sample\n\n\*\*5 rows: 3 green, 2 on the to-do list/,
  );
  assert.match(text, /There are 1 deliberate differences of at\nmost 40/);
});

test('differences and to-dos are listed with their issue', () => {
  const text = renderConformance([evidence]);
  assert.match(text, /- \*\*columns\*\*: more to see/);
  assert.match(text, /#### Issue 4\n\n- later \(2\):\n {2}- l2\n {2}- w1/);
  assert.match(text, /#### Issue 5\n\n- In every row: owners are not tracked\./);
});

test('the README counts the rows with the same response', () => {
  const before = 'a\n<!-- conformance -->\nanything\n<!-- /conformance -->\nb\n';
  const claim =
    '- our sample and the Go sample v1: the same responses in 3 of 5 tests, deliberate differences aside';
  assert.equal(
    renderClaims(before, [evidence]),
    `a\n<!-- conformance -->\n${claim}\n<!-- /conformance -->\nb\n`,
  );
  assert.equal(renderClaims('no such block', [evidence]), 'no such block');
});

test('a second table gets its own section and its own line in the README', () => {
  const second: Evidence = {
    ...evidence,
    subject: 'our core',
    lists: {
      ...evidence.lists,
      todoRows: [{ issue: 6, why: 'all', rows: ['g1', 'l1', 'l2', 'w1'] }],
    },
  };
  const text = renderConformance([evidence, second]);
  assert.match(
    text,
    /## The Go sample v1 and our core\n\n\*\*5 rows: 1 green, 4 on the to-do list/,
  );
  assert.match(text, /There are 1 deliberate differences/);
  const claims = renderClaims('<!-- conformance -->\n<!-- /conformance -->', [evidence, second]);
  assert.match(claims, /- our sample .* 3 of 5 tests.*\n- our core .* 1 of 5 tests.*\n/);
});

test('a long to-do list is counted', () => {
  const rows = Array.from({ length: 21 }, (_, index) => `row ${index}`);
  const lists = { ...evidence.lists, todoRows: [{ issue: 6, why: 'much', rows }] };
  const text = renderConformance([{ ...evidence, lists }]);
  assert.match(text, /- much \(21\)\n/);
  assert.doesNotMatch(text, /row 7/);
});
