import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexedHash } from './index-hash.ts';

const url = (serverRelativeURL: unknown) => ({ paths: { 'apis/a.io/v1': { serverRelativeURL } } });

const rows = [
  { name: 'a hash', index: url('/openapi/v3/apis/a.io/v1?hash=ABC'), want: { hash: 'ABC' } },
  { name: 'no hash', index: url('/openapi/v3/apis/a.io/v1'), want: { hash: '' } },
  { name: 'a hash that is none', index: url('/x?hash=a%0Db'), want: { hash: '' } },
  { name: 'another group version', index: { paths: { 'apis/b.io/v1': {} } }, want: undefined },
  { name: 'an address that is none', index: url(7), want: undefined },
  { name: 'nothing', index: { paths: {} }, want: undefined },
];
for (const { name, index, want } of rows) {
  test(`index with ${name}`, () => {
    assert.deepEqual(indexedHash(Buffer.from(JSON.stringify(index)), 'apis/a.io/v1'), want);
  });
}

for (const text of ['', '[]', '{"paths":[]}', '<html>', '['.repeat(100)]) {
  test(`no index: ${text.slice(0, 10)}`, () => {
    assert.throws(() => indexedHash(Buffer.from(text), 'apis/a.io/v1'));
  });
}
