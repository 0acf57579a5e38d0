import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { suite, test } from 'node:test';
import { defer, type TestScope } from '../../../test/harness/index.ts';
import { createTransport, TransportError } from '../src/index.ts';
import { startTestServer } from './test-server.ts';

/** Far less than the timeout of a silent new connection. */
const PATIENCE_MS = 5000;
const TRIES = 5;

suite('a connection that is reset while the handshake ends', () => {
  for (const http of ['1.1', '2'] as const) {
    test(`is detected at once, HTTP/${http}`, async (t) => {
      const server = await startTestServer(t, (_, response) => response.send(200, {}), { http });
      const port = await startResettingProxy(t, Number(new URL(server.url).port));
      const transport = createTransport({ ...server.config, server: `https://127.0.0.1:${port}` });
      defer(t, () => transport.close());
      for (let attempt = 1; attempt <= TRIES; attempt += 1) {
        const signal = AbortSignal.timeout(PATIENCE_MS);
        await assert.rejects(
          transport.request('GET', '/version', { signal, retriesMax: 0 }),
          (error) => error instanceof TransportError && !signal.aborted,
        );
      }
    });
  }
});

/** Resets as soon as the first bytes of the server are in flight, with which a handshake can end. */
async function startResettingProxy(t: TestScope, target: number): Promise<number> {
  const proxy = createServer((front) => {
    const back = connect(target, '127.0.0.1');
    front.on('error', () => undefined);
    back.on('error', () => undefined);
    front.pipe(back);
    back.on('data', (chunk) => front.write(chunk, () => front.resetAndDestroy()));
    front.once('close', () => back.destroy());
    back.once('close', () => front.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  defer(t, () => void proxy.close());
  return (proxy.address() as AddressInfo).port;
}
