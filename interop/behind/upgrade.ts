/** Connections that leave HTTP: a watch over WebSocket, through the aggregator to the extension server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { nextMessages } from '../../packages/server/test/websocket-client.ts';
import type { KeyPair } from '../../test/harness/index.ts';
import { askFront, flunder, flundersPath, makeNamespace, must, post } from './ask.ts';
import type { Site } from './site.ts';

const NAMESPACE = 'upgrades';
const FLUNDERS = flundersPath(NAMESPACE);
const TIMEOUT_MS = 60_000;

export async function upgradesConnections(site: Site): Promise<void> {
  await makeNamespace(site, NAMESPACE);
  const { metadata } = (await must(askFront(site, FLUNDERS))).json() as {
    metadata: { resourceVersion: string };
  };
  const socket = watch(site, { who: site.front.admin, since: metadata.resourceVersion });
  try {
    await once(socket, 'open', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const events = nextMessages(socket, 3);
    await post(site, FLUNDERS, flunder('a'));
    await post(site, FLUNDERS, flunder('b'));
    await must(askFront(site, `${FLUNDERS}/a`, { method: 'DELETE' }));
    const reported = (await inTime(events)).map((message) => {
      const { type, object } = JSON.parse(String(message)) as WatchEvent;
      return `${type} ${object.metadata.name}`;
    });
    assert.deepEqual(reported, ['ADDED a', 'ADDED b', 'DELETED a']);
  } finally {
    socket.terminate();
  }
  await refusesUnknownClients(site);
}

/** Over plain HTTP, as nothing was upgraded. */
async function refusesUnknownClients(site: Site): Promise<void> {
  const who = await site.front.userCertificate({ commonName: 'wanda' });
  const socket = watch(site, { who, since: '0' });
  socket.on('error', () => undefined); // It is closed before it was open.
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const [, response] = (await once(socket, 'unexpected-response', { signal })) as [
    unknown,
    IncomingMessage,
  ];
  socket.terminate();
  assert.equal(response.statusCode, 403);
}

interface WatchEvent {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name: string } };
}

function watch({ front }: Site, { who, since }: { who: KeyPair; since: string }): WebSocket {
  const url = `${front.url.replace('https:', 'wss:')}${FLUNDERS}?watch=true&resourceVersion=${since}`;
  const { cert, key } = who;
  return new WebSocket(url, [], {
    ca: front.ca,
    cert,
    key,
    origin: 'https://page.example.com',
    perMessageDeflate: false,
  });
}

function inTime<T>(promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('not in time')), TIMEOUT_MS);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
