import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRequestInfo } from '../../request/request-info.ts';
import { requestInfoCache } from './request-info-cache.ts';

const NONE = new URLSearchParams();
const PATH = '/api/v1/namespaces/a/pods';

test('a path means what it says, the first time and later', () => {
  const infoOf = requestInfoCache();
  const rows: readonly [string, string, URLSearchParams][] = [
    ['GET', PATH, NONE],
    ['GET', PATH, new URLSearchParams('watch=1')],
    ['POST', PATH, NONE],
    ['DELETE', PATH, NONE],
    ['HEAD', PATH, NONE],
    ['GET', `${PATH}/b`, NONE],
    ['GET', `${PATH}/${'b'.repeat(1000)}`, NONE],
    ['GET', '/healthz', NONE],
  ];
  for (const round of [1, 2]) {
    for (const [method, path, query] of rows) {
      const expected = parseRequestInfo(method, path, query);
      const { cached: _, ...info } = infoOf(method, path, query);
      assert.deepEqual(info, expected, `${round}: ${method} ${path}`);
    }
  }
});

test('a path that was read is not read again, and more than are kept are no harm', () => {
  const infoOf = requestInfoCache();
  assert.equal(infoOf('GET', PATH, NONE), infoOf('GET', PATH, NONE));
  for (let at = 0; at < 2500; at += 1) {
    assert.equal(infoOf('GET', `${PATH}/p${at}`, NONE).name, `p${at}`);
  }
  assert.equal(infoOf('GET', `${PATH}/p0`, NONE).name, 'p0');
});
