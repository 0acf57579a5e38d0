import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createAuthority } from '@tributary/server/pki';
import { webhookCalls } from './call-webhook.ts';

const authority = createAuthority('webhook-ca');
const { signal } = new AbortController();
const caBundle = Buffer.from(authority.cert).toString('base64');

const HINTS = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100);

async function listen(t: { after(fn: () => void): void }, names: readonly string[]) {
  const pair = authority.issue({ commonName: 'webhook', names: [...names], usage: 'server' });
  const requests: string[] = [];
  const server = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    if (request.url?.startsWith('/never')) return;
    if (request.url?.startsWith('/cut')) return void response.destroy();
    if (request.url?.startsWith('/hints')) {
      const more = (): void => {
        while (!response.destroyed && request.socket.write(HINTS));
      };
      request.socket.on('drain', more);
      more();
      return;
    }
    response.end('{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, port: (server.address() as AddressInfo).port };
}

const unresolved = () => {
  throw new Error('service "x" not found');
};

test('a webhook that does not respond times out', async (t) => {
  const { port } = await listen(t, ['127.0.0.1']);
  const { call, close } = webhookCalls({ resolveService: unresolved, timeoutMs: 200 });
  t.after(close);
  const url = `https://127.0.0.1:${port}/never`;
  await assert.rejects(call({ url, caBundle }, {}, signal), {
    message: `Post "${url}?timeout=0.2s": context deadline exceeded`,
  });
});

test('a connection that closes early is an EOF', async (t) => {
  const { port } = await listen(t, ['127.0.0.1']);
  const { call, close } = webhookCalls({ resolveService: unresolved });
  t.after(close);
  const url = `https://127.0.0.1:${port}/cut`;
  await assert.rejects(call({ url, caBundle }, {}, signal), { message: /: EOF$/ });
});

test('endless interim responses of a webhook are rejected', async (t) => {
  const { port } = await listen(t, ['127.0.0.1']);
  const { call, close } = webhookCalls({ resolveService: unresolved });
  t.after(close);
  const url = `https://127.0.0.1:${port}/hints`;
  await assert.rejects(call({ url, caBundle }, {}, signal), {
    message: /too many 1xx informational responses/,
  });
});

test('a webhook Service is reached at its endpoint with its name', async (t) => {
  const { port, requests } = await listen(t, ['hook.ns.svc']);
  const { call, close } = webhookCalls({ resolveService: () => ({ host: '127.0.0.1', port }) });
  t.after(close);
  const service = { namespace: 'ns', name: 'hook', port: 8443, path: '/convert' };
  await call({ service, caBundle }, {}, signal);
  await call({ service, caBundle }, {}, signal);
  assert.deepEqual(requests, Array(2).fill('hook.ns.svc:8443 /convert?timeout=30s'));
});

test('a certificate for another name is rejected', async (t) => {
  const { port } = await listen(t, ['other.ns.svc']);
  const { call, close } = webhookCalls({ resolveService: () => ({ host: '127.0.0.1', port }) });
  t.after(close);
  const service = { namespace: 'ns', name: 'hook' };
  await assert.rejects(call({ service, caBundle }, {}, signal), {
    message:
      /^Post "https:\/\/hook\.ns\.svc:443\/\?timeout=30s": tls: failed to verify certificate/,
  });
});

test('a call ends when the server stops', async (t) => {
  const { port } = await listen(t, ['127.0.0.1']);
  const { call, close } = webhookCalls({ resolveService: unresolved });
  t.after(close);
  const stop = new AbortController();
  const requests = call({ url: `https://127.0.0.1:${port}/never`, caBundle }, {}, stop.signal);
  stop.abort(new Error('the server is stopping'));
  await assert.rejects(requests);
});
