import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findMember } from './json-member.ts';

function found(text: string, name = 'metadata'): string | undefined {
  const bytes = Buffer.from(text);
  const range = findMember(bytes, 1, Buffer.from(name));
  return range && bytes.subarray(range.start, range.end).toString();
}

const cases = [
  { name: 'the first member', text: '{"metadata":{"a":1},"b":2}', want: '{"a":1}' },
  { name: 'the last member', text: '{"b":[1,{"metadata":0}],"metadata":{}}', want: '{}' },
  { name: 'a name within a text', text: '{"b":"\\"metadata\\":1","metadata":2}', want: '2' },
  {
    name: 'braces within a text',
    text: '{"metadata":{"a":"}{\\\\"},"b":1}',
    want: '{"a":"}{\\\\"}',
  },
  { name: 'a name that begins alike', text: '{"metadataX":1,"metadata":null}', want: 'null' },
  { name: 'white space', text: '{ "metadata" : [ 1 ] }', want: '[ 1 ]' },
  { name: 'nothing', text: '{}', want: undefined },
  { name: 'another member only', text: '{"a":{"metadata":1}}', want: undefined },
  { name: 'text that is cut off', text: '{"a":"metadata', want: undefined },
];
for (const { name, text, want } of cases) {
  test(`findMember finds ${name}`, () => assert.equal(found(text), want));
}

test('findMember finds the value that a parser finds', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (others, value) => {
      const document = JSON.stringify({ ...others, metadata: value });
      const text = found(document);
      assert.deepEqual(JSON.parse(text ?? ''), JSON.parse(document).metadata);
    }),
  );
});
