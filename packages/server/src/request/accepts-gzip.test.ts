import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptsGzip, wantsGzip } from './accepts-gzip.ts';
import { RequestHeaders } from './request-headers.ts';

const cases = [
  { header: '', accepted: false },
  { header: 'gzip', accepted: true },
  { header: ' gzip\t', accepted: true },
  { header: 'br, gzip, deflate', accepted: true },
  { header: 'gzip;q=1', accepted: false },
  { header: 'GZIP', accepted: false },
  { header: 'x-gzip', accepted: false },
  { header: '*', accepted: false },
  { header: 'identity', accepted: false },
];

for (const { header, accepted } of cases) {
  test(`'${header}' ${accepted ? 'accepts' : 'does not accept'} gzip`, () => {
    assert.equal(acceptsGzip(header), accepted);
  });
}

test('only bodies above 128 KiB are compressed, and only the first header counts', () => {
  const asking = new RequestHeaders(['Accept-Encoding', 'gzip']);
  assert.equal(wantsGzip(asking, 128 * 1024), false);
  assert.equal(wantsGzip(asking, 128 * 1024 + 1), true);
  const second = new RequestHeaders(['Accept-Encoding', 'br', 'Accept-Encoding', 'gzip']);
  assert.equal(wantsGzip(second, 1024 * 1024), false);
});
