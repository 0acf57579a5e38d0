import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Revision } from '@tributary/storage';
import { insertResourceVersion, replaceResourceVersion, startsWith } from './splice.ts';

const HEAD = '{"kind":"Pod","metadata":{';

const cases = [
  {
    name: 'before the first field',
    rest: '"name":"a"},"spec":{}}',
    revision: 7,
    want: '"resourceVersion":"7","name":"a"},"spec":{}}',
  },
  {
    name: 'into empty metadata, without a comma',
    rest: '},"spec":{}}',
    revision: 7,
    want: '"resourceVersion":"7"},"spec":{}}',
  },
  {
    name: 'into metadata of white space',
    rest: ' \n}}',
    revision: 7,
    want: '"resourceVersion":"7" \n}}',
  },
  {
    name: 'before white space',
    rest: ' "name":"a"}}',
    revision: 7,
    want: '"resourceVersion":"7", "name":"a"}}',
  },
  {
    name: 'the largest revision',
    rest: '"name":"ü"}}',
    revision: Number.MAX_SAFE_INTEGER,
    want: '"resourceVersion":"9007199254740991","name":"ü"}}',
  },
];

for (const { name, rest, revision, want } of cases) {
  test(`a resourceVersion is inserted ${name}`, () => {
    const spliced = insertResourceVersion(
      Buffer.from(HEAD + rest),
      HEAD.length,
      revision as Revision,
    );
    assert.equal(Buffer.from(spliced).toString(), HEAD + want);
    JSON.parse(Buffer.from(spliced).toString());
  });

  test(`a resourceVersion that was inserted ${name} is replaced`, () => {
    const stored = Buffer.from(HEAD + rest);
    for (const other of [1, 12_345, Number.MAX_SAFE_INTEGER] as Revision[]) {
      const first = insertResourceVersion(stored, HEAD.length, revision as Revision);
      const replaced = replaceResourceVersion(first, HEAD.length, other);
      assert.deepEqual(replaced, insertResourceVersion(stored, HEAD.length, other));
    }
  });
}

test('the copy of an insertion is allocated individually', () => {
  const batch = Buffer.alloc(1 << 20, `${HEAD}"name":"a"}}`);
  const view = batch.subarray(0, HEAD.length + 12);
  const spliced = insertResourceVersion(view, HEAD.length, 1 as Revision);
  assert.equal(spliced.buffer.byteLength, spliced.byteLength);
});

test('startsWith requires the whole head', () => {
  assert.equal(startsWith(Buffer.from('abc'), Buffer.from('ab')), true);
  assert.equal(startsWith(Buffer.from('ab'), Buffer.from('abc')), false);
  assert.equal(startsWith(Buffer.from('axc'), Buffer.from('ab')), false);
});
