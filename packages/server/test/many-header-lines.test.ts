/** A user with thousands of groups arrives as that many lines, over either protocol. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { httpsRequest } from '../../../test/harness/index.ts';
import { textResponse } from '../src/request/respond.ts';
import { startListener } from './listener-fixture.ts';

for (const http of ['1.1', '2'] as const) {
  test(`over HTTP/${http} three thousand lines of one header arrive`, async () => {
    await using fixture = await startListener(async ({ headers }) =>
      textResponse(200, String(headers.all('x-remote-group').length)),
    );
    const groups = Array.from({ length: 3000 }, (_, at) => `group-${at}`);
    const response = await httpsRequest(fixture.url, {
      http,
      ca: fixture.pki.ca.cert,
      headers: { 'x-remote-group': groups },
    });
    assert.equal(response.body, '3000');
  });
}
