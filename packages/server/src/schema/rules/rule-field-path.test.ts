import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleFieldPath } from './rule-field-path.ts';

const text = { type: 'string' };
const schema = {
  type: 'object',
  properties: {
    a: text,
    'b.c': { type: 'object', properties: { d: text } },
    "it's": text,
    map: { type: 'object', additionalProperties: { type: 'object', properties: { e: text } } },
    free: { type: 'object', additionalProperties: true },
    list: { type: 'array', items: text },
  },
};

const cases: readonly { readonly path: string; readonly want: string | undefined }[] = [
  { path: '.a', want: 'a' },
  { path: "['a']", want: 'a' },
  { path: ".['a']", want: undefined },
  { path: "['b.c'].d", want: 'b.c.d' },
  { path: "['b.c']['d']", want: 'b.c.d' },
  { path: "['it\\'s']", want: "it's" },
  { path: ".map['k'].e", want: 'map[k].e' },
  { path: '.map.k.e', want: 'map[k].e' },
  { path: ".map['a\\nb']", want: 'map[a\nb]' },
  { path: ".map['a\\\\b']", want: 'map[a\\b]' },
  { path: ".map['a\\q']", want: undefined },
  { path: ".map['']", want: 'map[]' },
  { path: ".map['k'", want: undefined },
  { path: ".map['k", want: undefined },
  { path: '.map[k]', want: undefined },
  { path: ".map['k'.e]", want: undefined },
  { path: '.free.x', want: undefined },
  { path: '.list[0]', want: undefined },
  { path: '.a.b', want: undefined },
  { path: '.', want: undefined },
  { path: '.toString', want: undefined },
  { path: 'a', want: undefined },
  { path: '', want: '' },
];

for (const { path, want } of cases) {
  test(`${JSON.stringify(path)} is ${want}`, () => assert.equal(ruleFieldPath(path, schema), want));
}
