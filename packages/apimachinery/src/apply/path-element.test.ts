import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../json/parse-json.ts';
import {
  comparePathElements,
  fieldElement,
  keyElement,
  parsePathElement,
  printOwnedPath,
  printPath,
  printPathElement,
  sortedPathElements,
  valueElement,
} from './path-element.ts';

/** Inputs of Go's library, their canonical form, and how it prints them. */
const elements: { text: string; again?: string; print: string }[] = [
  { text: 'f:a', print: '.a' },
  { text: 'f:', print: '.' },
  { text: 'f:a.b/c', print: '.a.b/c' },
  { text: 'f:é', print: '.é' },
  { text: 'f:😀', print: '.😀' },
  { text: 'f:<a>', print: '.<a>' },
  { text: 'f:"q"', print: '."q"' },
  { text: 'f:__proto__', print: '.__proto__' },
  { text: 'v:"a"', print: '[="a"]' },
  { text: 'v:"é😀"', print: '[="é😀"]' },
  { text: 'v:"<a&b>"', again: 'v:"\\u003ca\\u0026b\\u003e"', print: '[="<a&b>"]' },
  { text: 'v:"\\u003ca\\u003e"', print: '[="<a>"]' },
  { text: 'v:"a\\nb\\tc"', print: '[="a\\nb\\tc"]' },
  { text: 'v:"\\b\\f"', again: 'v:"\\u0008\\u000c"', print: '[="\\b\\f"]' },
  { text: 'v:"a\\\\b\\\\f"', print: '[="a\\\\b\\\\f"]' },
  { text: 'v:"\\u2028"', print: '[="\\u2028"]' },
  { text: 'v:"\\/"', again: 'v:"/"', print: '[="/"]' },
  { text: 'v:"\\ud83d\\ude00"', again: 'v:"😀"', print: '[="😀"]' },
  { text: 'v:"\\ud83d"', again: 'v:"\ufffd"', print: '[="\ufffd"]' },
  { text: 'v:1', print: '[=1]' },
  { text: 'v:1.0', again: 'v:1', print: '[=1]' },
  { text: 'v:1.5', print: '[=1.5]' },
  { text: 'v:-2', print: '[=-2]' },
  { text: 'v:1e3', again: 'v:1000', print: '[=1000]' },
  { text: 'v:1e21', again: 'v:1e+21', print: '[=1e+21]' },
  { text: 'v:1e-7', again: 'v:1e-07', print: '[=1e-07]' },
  { text: 'v:0.000001', print: '[=1e-06]' },
  { text: 'v:true', print: '[=true]' },
  { text: 'v:false', print: '[=false]' },
  { text: 'v:null', print: '[=null]' },
  { text: 'v: 1', again: 'v:1', print: '[=1]' },
  { text: 'v:[1,"a"]', print: '[=[1,"a"]]' },
  { text: 'v:{"a":1}', print: '[=a=1]' },
  { text: 'k:{"name":"a"}', print: '[name="a"]' },
  { text: 'k:{"b":1,"a":"x"}', again: 'k:{"a":"x","b":1}', print: '[a="x",b=1]' },
  { text: 'k: { "b" : 1 , "a" : "x" } ', again: 'k:{"a":"x","b":1}', print: '[a="x",b=1]' },
  { text: 'k:{"name":"<&>"}', again: 'k:{"name":"\\u003c\\u0026\\u003e"}', print: '[name="<&>"]' },
  { text: 'k:{"<n>":"a"}', print: '[<n>="a"]' },
  { text: 'k:{"port":8080}', print: '[port=8080]' },
  { text: 'k:{"port":80.5}', print: '[port=80.5]' },
  { text: 'k:{"2":"x","10":"y"}', again: 'k:{"10":"y","2":"x"}', print: '[10="y",2="x"]' },
  { text: 'k:{"a":null}', print: '[a=null]' },
  { text: 'k:{"a":true}', print: '[a=true]' },
  { text: 'k:{"__proto__":"x"}', print: '[__proto__="x"]' },
  { text: 'k:{"name":"a\\tb"}', print: '[name="a\\tb"]' },
  { text: 'k:{}', print: '[]' },
  { text: 'k:null', again: 'k:{}', print: '[]' },
  { text: 'i:0', print: '[0]' },
  { text: 'i:12', print: '[12]' },
  { text: 'i:-1', print: '[-1]' },
  { text: 'i:+3', again: 'i:3', print: '[3]' },
  { text: 'i:007', again: 'i:7', print: '[7]' },
];
for (const { text, again = text, print } of elements) {
  test(`path element ${text}`, () => {
    const element = parsePathElement(text) ?? assert.fail('unknown');
    assert.equal(element, again);
    assert.equal(printPathElement(element), print);
    assert.equal(parsePathElement(element), element, 'the canonical form parses to itself');
  });
}

const invalid = [
  '',
  'f',
  'fa',
  ':f',
  'ff:a',
  'v:',
  'v:tru',
  'v:"a',
  'v:01',
  'k:',
  'k:[]',
  'k:1',
  'k:{"a":1',
  'i:',
  'i:x',
  'i:1.5',
  'i:9999999999999999999999',
];
for (const text of invalid) {
  test(`an invalid path element: ${JSON.stringify(text)}`, () => {
    assert.throws(() => parsePathElement(text));
  });
}

for (const text of ['q:x', '.:', 'x:{"a":1}']) {
  test(`an unknown kind of path element: ${text}`, () => {
    assert.equal(parsePathElement(text), undefined);
  });
}

/** Integers of objects retain all digits. */
const values: { json: string; element: string; print: string }[] = [
  { json: '9007199254740993', element: 'v:9007199254740993', print: '[=9007199254740993]' },
  {
    json: '9223372036854775807',
    element: 'v:9223372036854775807',
    print: '[=9223372036854775807]',
  },
  {
    json: '-9223372036854775808',
    element: 'v:-9223372036854775808',
    print: '[=-9223372036854775808]',
  },
  { json: '1000000', element: 'v:1000000', print: '[=1000000]' },
  { json: '-0', element: 'v:0', print: '[=0]' },
  { json: '3.0e0', element: 'v:3', print: '[=3]' },
  { json: '1234567.5', element: 'v:1234567.5', print: '[=1.2345675e+06]' },
  { json: '0.00001', element: 'v:0.00001', print: '[=1e-05]' },
];
for (const { json, element, print } of values) {
  test(`the element of ${json} in a set`, () => {
    assert.equal(valueElement(parseJson(Buffer.from(json))), element);
    assert.equal(printPathElement(element), print);
  });
}

/** Numbers decoded from managedFields are float64 in Go, and print as such. */
const owned: { path: string[]; print: string }[] = [
  { path: ['f:spec', 'k:{"port":1000000}', 'f:name'], print: '.spec[port=1e+06].name' },
  { path: ['f:spec', 'v:123456789'], print: '.spec[=1.23456789e+08]' },
  { path: ['v:999999'], print: '[=999999]' },
  { path: ['v:-4000000'], print: '[=-4e+06]' },
  { path: ['v:9223372036854775807'], print: '[=9.223372036854776e+18]' },
  { path: ['k:{"name":"web"}', 'i:1000000'], print: '[name="web"][1000000]' },
];
for (const { path, print } of owned) {
  test(`an owned path prints as ${print}`, () => assert.equal(printOwnedPath(path), print));
}

test('a path prints its elements', () => {
  assert.equal(
    printPath(['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:x']),
    '.spec.ports[port=80,protocol="TCP"].x',
  );
});

/** In the order of Go's library. */
const ordered = [
  'f:',
  'f:"q"',
  'f:<a>',
  'f:Z',
  'f:a',
  'f:a.b/c',
  'f:é',
  'f:\uffff',
  'f:😀',
  'k:{}',
  'k:{"10":"y","2":"x"}',
  'k:{"a":"x","b":1}',
  'k:{"a":true}',
  'k:{"a":null}',
  'k:{"name":"\\u003c"}',
  'k:{"name":"a"}',
  'k:{"name":"a b"}',
  'k:{"name":"ab"}',
  'k:{"port":80.5}',
  'k:{"port":8080}',
  'k:{"port":1000000}',
  'v:-2',
  'v:1e-07',
  'v:1',
  'v:1.5',
  'v:1000',
  'v:1e+21',
  'v:"/"',
  'v:"\\u003ca\\u003e"',
  'v:"a"',
  'v:"\uffff"',
  'v:"😀"',
  'v:false',
  'v:true',
  'v:null',
  'i:-1',
  'i:0',
  'i:3',
  'i:12',
];

test('elements have a total order', () => {
  assert.deepEqual(ordered.toReversed().sort(comparePathElements), ordered);
  assert.deepEqual(sortedPathElements(ordered.toReversed()), ordered);
  for (const [index, one] of ordered.entries()) {
    assert.equal(comparePathElements(one, one), 0, one);
    for (const later of ordered.slice(index + 1)) {
      assert.ok(comparePathElements(one, later) < 0, `${one} before ${later}`);
      assert.ok(comparePathElements(later, one) > 0, `${later} after ${one}`);
    }
  }
});

const scalars = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);

test('every element parses to itself', () => {
  fc.assert(
    fc.property(scalars, fc.string({ unit: 'binary' }), (value, name) => {
      for (const element of [
        valueElement(value),
        keyElement([
          [name, value],
          ['other', 1],
        ]),
        fieldElement(name),
      ]) {
        assert.equal(parsePathElement(element), element);
      }
    }),
  );
});
