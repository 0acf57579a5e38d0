import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareResults, formatDifferences } from './compare.ts';
import type { Json } from './json.ts';
import type { StepResult } from './step-result.ts';

function response(body: Json, step = 's'): StepResult {
  return { step, body };
}

const cases: readonly { name: string; ours: Json; reference: Json; want: readonly string[] }[] = [
  { name: 'equal', ours: { a: [1, { b: null }] }, reference: { a: [1, { b: null }] }, want: [] },
  { name: 'the order of keys', ours: { a: 1, b: 2 }, reference: { b: 2, a: 1 }, want: [] },
  { name: 'the order of items', ours: [1, 2], reference: [2, 1], want: ['body[0]', 'body[1]'] },
  {
    name: 'the order of managers, which is that of seconds',
    ours: { metadata: { managedFields: [{ manager: 'b' }, { manager: 'a' }] } },
    reference: { metadata: { managedFields: [{ manager: 'a' }, { manager: 'b' }] } },
    want: [],
  },
  {
    name: 'another manager',
    ours: { metadata: { managedFields: [{ manager: 'c' }, { manager: 'a' }] } },
    reference: { metadata: { managedFields: [{ manager: 'a' }, { manager: 'b' }] } },
    want: ['body.metadata.managedFields[1].manager'],
  },
  { name: 'a missing field', ours: {}, reference: { a: 1 }, want: ['body.a'] },
  { name: 'an extra field', ours: { a: null }, reference: {}, want: ['body.a'] },
  { name: 'a missing item', ours: [1], reference: [1, 2], want: ['body[1]'] },
  { name: 'another type', ours: { a: '1' }, reference: { a: 1 }, want: ['body.a'] },
  { name: 'an array for an object', ours: [], reference: {}, want: ['body'] },
  { name: 'keys with dots', ours: {}, reference: { 'a.b/c': 1 }, want: ['body["a.b/c"]'] },
];
for (const { name, ours, reference, want } of cases) {
  test(name, () => {
    const found = compareResults({ ours: [response(ours)], reference: [response(reference)] });
    assert.deepEqual(
      found.map(({ path }) => path),
      want,
    );
  });
}

test('a step that was not answered', () => {
  const found = compareResults({ ours: [], reference: [response(1)] });
  assert.deepEqual(found, [{ step: 's', path: '', ours: undefined, reference: response(1) }]);
});

test('answers during a watch are compared under their own step', () => {
  const watch = (body: Json): StepResult => ({ step: 'watch', during: [response(body, 'inner')] });
  const found = compareResults({ ours: [watch(1)], reference: [watch(2)] });
  assert.deepEqual(found, [{ step: 'inner', path: 'body', ours: 1, reference: 2 }]);
});

test('the report names step, path and both sides', () => {
  const report = formatDifferences([
    { step: 'get', path: 'body.code', ours: 200, reference: 404 },
    { step: 'get', path: 'body.reason', ours: undefined, reference: 'NotFound' },
  ]);
  assert.equal(
    report,
    [
      '  step get',
      '    body.code',
      '      ours       200',
      '      reference  404',
      '    body.reason',
      '      ours       (absent)',
      '      reference  "NotFound"',
    ].join('\n'),
  );
});
