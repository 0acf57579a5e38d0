import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jsonPath } from './json-path.ts';

const object = {
  metadata: { name: 'a', labels: { app: 'x' } },
  spec: {
    text: 'hello',
    whole: 7,
    large: 9_007_199_254_740_993n,
    none: null,
    list: ['a', 'b', 'c'],
    items: [
      { name: 'one', n: 1, tags: ['t'] },
      { name: 'two', n: 2 },
    ],
    mixed: [
      { name: 'whole', n: 2 },
      { name: 'half', n: 2.5 },
    ],
    map: { 'a.b/c': 'dotted', plain: 'p' },
  },
};

describe('results of a path', () => {
  const rows: readonly [path: string, want: readonly unknown[]][] = [
    ['.spec.text', ['hello']],
    ['$.spec.text', ['hello']],
    ['@.spec.text', ['hello']],
    ['.spec.large', [9_007_199_254_740_993n]],
    ['.spec.none', [null]],
    ['.spec.none.deeper', []],
    ['.spec.absent', []],
    ['.spec.absent[0]', []],
    ['.spec.text.deeper', []],
    ['.spec.list', [['a', 'b', 'c']]],
    ['.spec.list[0]', ['a']],
    ['.spec.list[-1]', ['c']],
    ['.spec.list[*]', ['a', 'b', 'c']],
    ['.spec.list[1:]', ['b', 'c']],
    ['.spec.list[:2]', ['a', 'b']],
    ['.spec.list[0:3:2]', ['a', 'c']],
    ['.spec.list[1:1]', []],
    ['.spec.list[0,2]', ['a', 'c']],
    ['.spec.list.*', ['a', 'b', 'c']],
    ['.spec.items[*].name', ['one', 'two']],
    ['.spec.items[0].tags[0]', ['t']],
    ['.spec.items[?(@.n==2)].name', ['two']],
    ['.spec.items[?(@.name=="one")].n', [1]],
    [".spec.items[?(@.name=='one')].n", [1]],
    ['.spec.items[?(@.name!="one")].name', ['two']],
    ['.spec.items[?(@.n>1)].name', ['two']],
    ['.spec.items[?(@.n>=1)].name', ['one', 'two']],
    ['.spec.items[?(@.n<2)].name', ['one']],
    ['.spec.items[?(@.n<=2)].name', ['one', 'two']],
    ['.spec.items[?(@.absent==1)].name', []],
    ['.spec.items[?(@.tags)].name', ['one']],
    ['.spec.map.plain', ['p']],
    ['.spec.map.a\\.b/c', ['dotted']],
    ["['spec'].text", ['hello']],
    ["['spec','metadata'].name", ['a']],
    ['..name', ['a', 'one', 'two', 'whole', 'half']],
    ['.metadata.labels.*', ['x']],
    ['.toString', []],
    ['.spec.__proto__', []],
  ];
  for (const [path, want] of rows) {
    test(path, () => assert.deepEqual(jsonPath(path)(object), want));
  }
});

describe('evaluation errors', () => {
  const rows: readonly [path: string, why: RegExp][] = [
    ['.spec.list[9]', /array index out of bounds: index 9, length 3/],
    ['.spec.list[-9]', /out of bounds/],
    ['.spec.list[2:1]', /starting index 2 is greater than ending index 1/],
    ['.spec.text[0]', /not array or slice/],
    ['.spec.text[?(@.x)]', /cannot be filtered/],
    ['.spec.mixed[?(@.n==2)].name', /incompatible types/],
    ['.spec.items[?(@.name==1)].n', /incompatible types/],
    ['.spec.items[?(@.name=~"x")]', /unrecognized filter operator =~|invalid|unrecognized/],
  ];
  for (const [path, why] of rows) {
    test(path, () => assert.throws(() => jsonPath(path)(object), why));
  }
});

describe('syntax errors', () => {
  const rows: readonly [path: string, why: RegExp][] = [
    ['.spec[', /unterminated array/],
    ['.spec[x]', /invalid array index x/],
    ['.spec[?(@.a==1]', /unterminated filter/],
    ['.spec[?(@.a==1)', /unclosed array expect/],
    ['....a', /multiple recursive descent/],
    ['#', /unrecognized character/],
    ['range', /unrecognized identifier/],
  ];
  for (const [path, why] of rows) {
    test(path, () => assert.throws(() => jsonPath(path), why));
  }
});
