import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexOf, readIndex } from './openapi-index.ts';

test('an index is read, without what leads elsewhere', () => {
  const paths = {
    'api/v1': { serverRelativeURL: '/openapi/v3/api/v1?hash=A' },
    elsewhere: { serverRelativeURL: 'https://evil.example.com/openapi/v3/a' },
    above: { serverRelativeURL: '/api' },
    nothing: {},
    __proto__: { serverRelativeURL: '/openapi/v3/x' },
  };
  const read = readIndex(Buffer.from(JSON.stringify({ paths })));
  assert.deepEqual([...read], [['api/v1', '/openapi/v3/api/v1?hash=A']]);
});

for (const bad of ['', '[]', '{}', '{"paths":1}', '<html>']) {
  test(`what is no index is refused: ${bad}`, () => {
    assert.throws(() => readIndex(Buffer.from(bad)));
  });
}

test('the later list wins, and all are sorted', () => {
  const cluster = new Map([
    ['b', '/openapi/v3/b?hash=1'],
    ['a', '/openapi/v3/a?hash=1'],
  ]);
  const own = new Map([['b', '/openapi/v3/b?hash=2']]);
  assert.equal(
    JSON.stringify(indexOf(cluster, own)),
    '{"paths":{"a":{"serverRelativeURL":"/openapi/v3/a?hash=1"},"b":{"serverRelativeURL":"/openapi/v3/b?hash=2"}}}',
  );
});
