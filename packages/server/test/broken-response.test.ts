/** An answer that fails on the way must look broken to the client, never complete. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPki, httpsStream } from '../../../test/harness/index.ts';
import { listen } from '../src/http/listener/listener.ts';
import { serveExchanges } from '../src/http/listener/serve-exchanges.ts';

async function* brokenResponse(arrived: Promise<void>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"type":"ADDED"}\n{"type":');
  await arrived;
  throw new Error('the store went away');
}

for (const http of ['1.1', '2'] as const) {
  test(`over HTTP/${http} a stream that fails is cut`, async () => {
    const pki = await createPki();
    const bugs: unknown[] = [];
    const arrived = Promise.withResolvers<void>();
    const listener = await listen({
      address: '127.0.0.1',
      port: 0,
      certificate: pki.server.cert,
      privateKey: pki.server.key,
      serve: serveExchanges({
        handler: async () => ({
          kind: 'stream',
          contentType: 'application/json',
          chunks: brokenResponse(arrived.promise),
        }),
        bodyBytesMax: 1024,
        reportBug: (error) => bugs.push(error),
      }),
    });
    try {
      const url = `https://127.0.0.1:${listener.port}/`;
      const { lines } = await httpsStream(url, { http, ca: pki.ca.cert });
      const broken = lines[Symbol.asyncIterator]();
      assert.deepEqual((await broken.next()).value, { type: 'ADDED' });
      arrived.resolve();
      await assert.rejects(broken.next());
      assert.equal(bugs.length, 1);
    } finally {
      await listener.close(0);
    }
  });
}
