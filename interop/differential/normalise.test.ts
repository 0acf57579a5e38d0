import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, type Json } from './json.ts';
import { normaliseRow } from './normalise.ts';
import type { Row } from './row.ts';
import type { RawStepResult } from './step-result.ts';

const now = Date.parse('2026-11-15T12:00:00Z');
const U1 = 'aaaaaaaa-0000-4000-8000-000000000001';
const U2 = 'aaaaaaaa-0000-4000-8000-000000000002';

function row(more: Partial<Row['steps'][number]> = {}): Row {
  return {
    name: 'a row',
    covers: { feature: 'routing' },
    steps: [{ name: 's0', path: '/', ...more }],
  };
}

function response(
  body: Json | string,
  headers: [string, string][] = [],
  step = 's0',
): RawStepResult {
  const text = typeof body === 'string' ? body : `${JSON.stringify(body)}\n`;
  return {
    kind: 'response',
    step,
    request: 'GET /',
    response: { status: 200, headers, body: text },
  };
}

function bodies(values: readonly Json[], of: Row = row()): (Json | undefined)[] {
  const responses = values.map((value, index) => response(value, [], `s${index}`));
  return normaliseRow(responses, { row: of, namespace: 'ns-7', now }).map((a) => at(a, 'body'));
}

const cases: readonly { name: string; body: Json; want: Json }[] = [
  {
    name: 'uids are numbered as they appear, also inside texts',
    body: [U2, `uid ${U1} and ${U2}`],
    want: ['<uid:1>', 'uid <uid:2> and <uid:1>'],
  },
  {
    name: 'keys are walked in one order, whatever the server’s',
    body: { z: U1, a: U2 },
    want: { a: '<uid:1>', z: '<uid:2>' },
  },
  {
    name: 'times of today are labelled, with their precision',
    body: ['2026-11-15T11:59:59Z', '2026-11-15T11:59:59.123456Z'],
    want: ['<time>', '<time with 6 digits>'],
  },
  {
    name: 'other times stay',
    body: ['2001-01-01T00:00:00Z', '2026-11-15T11:59:59+00:00'],
    want: ['2001-01-01T00:00:00Z', '2026-11-15T11:59:59+00:00'],
  },
  {
    name: 'ages in cells of a Table, and only there',
    body: { rows: [{ cells: ['7s', '25y', '2y100d', '5m', '7s ago', 7] }], age: '7s' },
    want: { rows: [{ cells: ['<age>', '<years>', '<years>', '5m', '7s ago', 7] }], age: '7s' },
  },
  {
    name: 'resourceVersions keep order and equality',
    body: [{ resourceVersion: '30' }, { resourceVersion: '9' }, { resourceVersion: '30' }],
    want: [
      { resourceVersion: '<rv:2>' },
      { resourceVersion: '<rv:1>' },
      { resourceVersion: '<rv:2>' },
    ],
  },
  {
    name: 'a resourceVersion that is none stays',
    body: [{ resourceVersion: '' }, { resourceVersion: '0' }, { resourceVersion: 'abc' }],
    want: [{ resourceVersion: '' }, { resourceVersion: '0' }, { resourceVersion: 'abc' }],
  },
  {
    name: 'a resourceVersion in a message is labelled, the one of the request is not',
    body: [{ resourceVersion: '7' }, 'Too large resource version: 99, current: 7'],
    want: [{ resourceVersion: '<rv:1>' }, 'Too large resource version: 99, current: <rv:1>'],
  },
  {
    name: 'a resourceVersion in a quoted document',
    body: [{ message: 'bad: "{\\"resourceVersion\\":\\"7\\"}"' }],
    want: [{ message: 'bad: "{\\"resourceVersion\\":\\"<rv:1>\\"}"' }],
  },
  {
    name: 'the namespace of the row',
    body: ['namespaces "ns-7-none" not found'],
    want: ['namespaces "<ns>-none" not found'],
  },
  {
    name: 'continue tokens show what they hold',
    body: {
      resourceVersion: '12',
      continue: Buffer.from('{"v":"meta.k8s.io/v1","rv":12,"start":"a\\u0000"}').toString(
        'base64url',
      ),
    },
    want: {
      continue: '<token {"rv":"<rv:1>","start":"a\\u0000","v":"meta.k8s.io/v1"}>',
      resourceVersion: '<rv:1>',
    },
  },
  { name: 'a token that is none stays', body: { continue: 'abc' }, want: { continue: 'abc' } },
  {
    name: 'prose goes, its presence stays',
    body: [{ description: 'Many words.' }, { description: '' }],
    want: [{ description: '<prose>' }, { description: '' }],
  },
  {
    name: 'what belongs to one program',
    body: [
      'no kind "X" is registered in scheme "pkg/a.go:31"',
      'StorageError: invalid object, Code: 4, Key: /registry/wardle.example.com/a/b, ResourceVersion: 0',
      'StorageError: invalid object, Code: 4, Key: /registry/configmaps/b, ResourceVersion: 0',
      '/openapi/v3/apis?hash=0AF3',
    ],
    want: [
      'no kind "X" is registered in scheme "<scheme>"',
      'StorageError: invalid object, Code: 4, Key: <key>, ResourceVersion: 0',
      'StorageError: invalid object, Code: 4, Key: /registry/configmaps/b, ResourceVersion: 0',
      '/openapi/v3/apis?hash=<hash>',
    ],
  },
  {
    name: 'numbers and their types stay',
    body: { a: 1, b: '1', c: null },
    want: { a: 1, b: '1', c: null },
  },
];

for (const { name, body, want } of cases) {
  test(name, () => assert.deepEqual(bodies([body]), [want]));
}

test('labels hold for the whole row', () => {
  const [first, second] = bodies([
    { uid: U1, resourceVersion: '5' },
    { uid: U1, resourceVersion: '4' },
  ]);
  assert.deepEqual(first, { uid: '<uid:1>', resourceVersion: '<rv:2>' });
  assert.deepEqual(second, { uid: '<uid:1>', resourceVersion: '<rv:1>' });
});

test('order is that of numbers, not of texts', () => {
  const [nine, ten] = bodies([{ resourceVersion: '9' }, { resourceVersion: '10' }]);
  assert.deepEqual([nine, ten], [{ resourceVersion: '<rv:1>' }, { resourceVersion: '<rv:2>' }]);
});

test('a uid that the row itself sends stays, so that a server that keeps it shows', () => {
  const [body] = bodies([{ uid: U1 }], row({ body: { metadata: { uid: U1 } } }));
  assert.deepEqual(body, { uid: U1 });
});

test('generated names keep their prefix, and their identity', () => {
  const asked = row({ body: { metadata: { generateName: 'a-' } } });
  const [body] = bodies([['a-bcdf2', 'a-x4567', 'a-bcdf2', 'a-aaaaa']], asked);
  assert.deepEqual(body, ['a-<generated:1>', 'a-<generated:2>', 'a-<generated:1>', 'a-aaaaa']);
});

test('integers beyond doubles are compared by their digits', () => {
  const [result] = normaliseRow([response('{"a":9007199254740993}')], {
    row: row(),
    namespace: 'ns-7',
    now,
  });
  assert.deepEqual(at(result, 'body'), { a: '<int:9007199254740993>' });
});

test('long texts are shortened and stay comparable', () => {
  const [[long, same, other] = []] = bodies([
    ['x'.repeat(2000), 'x'.repeat(2000), `${'x'.repeat(1999)}y`],
  ]) as string[][];
  assert.ok((long?.length ?? 0) < 200);
  assert.equal(long, same);
  assert.notEqual(long, other);
});

test('headers: noise goes, presence and repetition stay', () => {
  const headers: [string, string][] = [
    ['warning', '299 - "b"'],
    ['warning', '299 - "a"'],
    ['date', 'today'],
    ['audit-id', U1],
    ['content-type', 'application/json'],
    ['etag', '"0123456789ABCDEF0123"'],
    ['x-kubernetes-pf-flowschema-uid', U2],
    ['x-unknown', 'kept'],
  ];
  const [result] = normaliseRow([response({}, headers)], { row: row(), namespace: 'ns-7', now });
  assert.deepEqual(at(result, 'headers'), {
    'audit-id': '<present>',
    'content-type': 'application/json',
    etag: '"<hash>"',
    warning: ['299 - "b"', '299 - "a"'],
    'x-unknown': 'kept',
  });
});

const layouts: readonly { text: string; want: Json }[] = [
  { text: '{"a":1}\n', want: 'compact, newline' },
  { text: '{"a":1}', want: 'compact' },
  { text: '{\n  "a": 1\n}', want: 'indented' },
  { text: '{\n  "a": 1\n}\n', want: 'indented, newline' },
];
for (const { text, want } of layouts) {
  test(`layout: ${JSON.stringify(text)}`, () => {
    const [result] = normaliseRow([response(text)], { row: row(), namespace: 'ns-7', now });
    assert.equal(at(result, 'layout'), want);
  });
}

test('what is no JSON stays a text, line by line, with its labels', () => {
  const text = `metadata:\n  uid: ${U1}\n  resourceVersion: "12"\n`;
  const [result] = normaliseRow([response(text)], { row: row(), namespace: 'ns-7', now });
  assert.deepEqual(at(result, 'text'), [
    'metadata:',
    '  uid: <uid:1>',
    '  resourceVersion: "<rv:1>"',
    '',
  ]);
});

test('of an answer that only prepares, what later steps refer to is kept', () => {
  const body = { metadata: { name: 'a', uid: U1, resourceVersion: '3', labels: {} }, spec: {} };
  const [result] = normaliseRow([response(body, [['etag', '"x"']])], {
    row: row({ setup: true }),
    namespace: 'ns-7',
    now,
  });
  assert.deepEqual(result, {
    step: 's0',
    request: 'GET /',
    status: 200,
    etag: '"x"',
    retained: { name: 'a', uid: '<uid:1>', resourceVersion: '<rv:1>' },
  });
});
