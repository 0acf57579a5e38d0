import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSchemeNamePort } from './scheme-name-port.ts';

const rows = [
  { text: 'a', wanted: { scheme: 'http', name: 'a', port: '' } },
  { text: 'a:80', wanted: { scheme: 'http', name: 'a', port: '80' } },
  { text: 'a:web', wanted: { scheme: 'http', name: 'a', port: 'web' } },
  { text: 'https:a:443', wanted: { scheme: 'https', name: 'a', port: '443' } },
  { text: 'https:a:', wanted: { scheme: 'https', name: 'a', port: '' } },
  { text: ':a:80', wanted: { scheme: 'http', name: 'a', port: '80' } },
];
for (const { text, wanted } of rows) {
  test(text, () => assert.deepEqual(parseSchemeNamePort(text, 'pod'), wanted));
}

for (const text of ['', ':80', 'ftp:a:80', 'http::80', 'a:b:c:d']) {
  test(`${text || 'nothing'} is refused`, () => {
    const message = `invalid pod request ${JSON.stringify(text)}`;
    assert.throws(() => parseSchemeNamePort(text, 'pod'), { code: 400, message });
  });
}
