import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readLabels } from './labels.ts';

const cases = [
  { name: 'no metadata at all', metadata: '{}', want: {} },
  { name: 'no labels', metadata: '{"name":"a","annotations":{"labels":"no"}}', want: {} },
  { name: 'labels first', metadata: '{"labels":{"a":"b"},"name":"x"}', want: { a: 'b' } },
  {
    name: 'labels last',
    metadata: '{"name":"x","labels":{"a":"b","c":""}}',
    want: { a: 'b', c: '' },
  },
  { name: 'null labels', metadata: '{"labels":null,"name":"x"}', want: {} },
  { name: 'empty labels', metadata: '{"labels":{},"name":"x"}', want: {} },
  {
    name: 'a string that looks like labels',
    metadata: '{"note":"\\"labels\\":{\\"x\\":\\"y\\"}","labels":{"a":"b"}}',
    want: { a: 'b' },
  },
  {
    name: 'labels of something deeper',
    metadata: '{"managedFields":[{"labels":{"x":"y"}},[{"labels":1}]],"labels":{"a":"b"}}',
    want: { a: 'b' },
  },
  {
    name: 'numbers and literals before',
    metadata: '{"generation":12,"x":true,"y":null,"z":-1.5e3,"labels":{"a":"b"}}',
    want: { a: 'b' },
  },
  {
    name: 'white space everywhere',
    metadata: '{ "generation" : 12 ,\n "labels" : { "a" : "b" } }',
    want: { a: 'b' },
  },
  {
    name: 'a key with a quote',
    metadata: '{"la\\"bels":{"a":"b"},"labels":{"c":"d"}}',
    want: { c: 'd' },
  },
  { name: 'a value with braces', metadata: '{"x":"}{][","labels":{"a":"}"}}', want: { a: '}' } },
  { name: 'text beyond ASCII', metadata: '{"x":"ü💧","labels":{"ü":"💧"}}', want: { ü: '💧' } },
];

for (const { name, metadata, want } of cases) {
  test(`labels are read with ${name}`, () => {
    const head = '{"metadata":';
    const bytes = Buffer.from(`${head}${metadata},"spec":{"labels":{"no":"no"}}}`);
    assert.deepEqual({ ...readLabels(bytes, head.length + 1) }, want);
  });
}

test('a label named __proto__ is a label', () => {
  const labels = readLabels(Buffer.from('{"labels":{"__proto__":"x"}}'), 1);
  assert.deepEqual(Object.entries(labels), [['__proto__', 'x']]);
});

test('labels equal those of the parsed object, whatever else is in the metadata', () => {
  const metadata = fc.record(
    {
      first: fc.jsonValue(),
      labels: fc.dictionary(fc.string(), fc.string({ unit: 'binary' })),
      last: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(metadata, fc.constantFrom(0, 1, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const parsed: { labels?: Record<string, string> } = JSON.parse(text);
      assert.deepEqual({ ...readLabels(Buffer.from(text), 1) }, { ...parsed.labels });
    }),
  );
});

test('the search for labels ends on bytes that are no JSON', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 60 }),
      fc.constantFrom('', '"a":', '"labels":{'),
      (tail, start) => {
        const bytes = Buffer.concat([Buffer.from(start), tail]);
        try {
          readLabels(bytes, 0);
        } catch (error) {
          assert.ok(error instanceof SyntaxError);
        }
      },
    ),
  );
});
