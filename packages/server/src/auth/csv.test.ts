import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCsv } from './csv.ts';

const cases = [
  {
    name: 'plain fields',
    text: 'a,b,c\nd,e\n',
    want: [
      ['a', 'b', 'c'],
      ['d', 'e'],
    ],
  },
  { name: 'no last line break', text: 'a,b', want: [['a', 'b']] },
  {
    name: 'line breaks of Windows',
    text: 'a,b\r\nc,d\r\n',
    want: [
      ['a', 'b'],
      ['c', 'd'],
    ],
  },
  { name: 'empty lines', text: '\n\na,b\n\nc\n', want: [['a', 'b'], ['c']] },
  { name: 'quotes', text: 'a,"b,c","d ""e"""\n', want: [['a', 'b,c', 'd "e"']] },
  { name: 'a line break in quotes', text: '"a\nb",c\n', want: [['a\nb', 'c']] },
  {
    name: 'empty fields',
    text: ',a,,\n,\n',
    want: [
      ['', 'a', '', ''],
      ['', ''],
    ],
  },
  { name: 'an empty field at the end', text: 'a,', want: [['a', '']] },
  { name: 'nothing', text: '', want: [] },
];
for (const { name, text, want } of cases) {
  test(`CSV: ${name}`, () => assert.deepEqual(parseCsv(text), want));
}

const wrong = [
  { text: 'a,b"c\n', says: 'parse error on line 1: bare " in non-quoted field' },
  { text: 'a\n"b', says: 'parse error on line 2: extraneous or missing " in quoted-field' },
  { text: '"a"b', says: 'parse error on line 1: extraneous or missing " in quoted-field' },
];
for (const { text, says } of wrong) {
  test(`CSV that is none: ${JSON.stringify(text)}`, () => {
    assert.throws(() => parseCsv(text), { message: says });
  });
}
