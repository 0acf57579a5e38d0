import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Warnings } from './warnings.ts';

function headersFor(...texts: string[]): string[] {
  const warnings = new Warnings();
  for (const text of texts) warnings.add(text);
  return warnings.headers().map(([, value]) => value);
}

const cases = [
  { name: 'one text', texts: ['a b'], want: ['299 - "a b"'] },
  { name: 'each text once', texts: ['a', 'a', 'b'], want: ['299 - "a"', '299 - "b"'] },
  { name: 'quotes are escaped', texts: ['say "x\\y"'], want: ['299 - "say \\"x\\\\y\\""'] },
  { name: 'a line break is an injection', texts: ['a\r\nSet-Cookie: b'], want: [] },
  { name: 'nothing says nothing', texts: [''], want: [] },
  { name: 'UTF-8 travels as bytes', texts: ['ü'], want: ['299 - "\xc3\xbc"'] },
];

for (const { name, texts, want } of cases) {
  test(name, () => assert.deepEqual(headersFor(...texts), want));
}

test('warnings beyond the budget are cut or dropped', () => {
  const many = Array.from({ length: 20 }, (_, index) => `${index}-${'x'.repeat(400)}`);
  const headers = headersFor(...many);
  assert.equal(headers.length, 16);
  assert.ok(headers.every((header) => header.length === '299 - ""'.length + 256));
});
