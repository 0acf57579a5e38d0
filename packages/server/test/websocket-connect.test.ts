/** Subresources that are connected to: conversations over WebSocket, and connections that are given away. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { successStatus } from '@tributary/apimachinery';
import { eventually, httpsRequest } from '../../../test/harness/index.ts';
import {
  type AcceptOptions,
  acceptWebSocket,
  ClientDisconnected,
  channelProtocols,
  commandChannels,
  type NumberedMessage,
  numberedChannels,
} from '../src/http/websocket/index.ts';
import type { ApiRequest, ApiResponse } from '../src/request/pipeline.ts';
import { statusResponse } from '../src/request/status-response.ts';
import { startListener } from './listener-fixture.ts';
import { unchanged } from './unchanged.ts';
import { conversation, webSocketTo } from './websocket-client.ts';

function accepting(options: AcceptOptions) {
  return async (request: ApiRequest): Promise<ApiResponse> => acceptWebSocket(request, options);
}

test('messages go both ways, text and binary, until the author is done', async () => {
  const handler = accepting({
    serve: async (channel) => {
      for await (const { data, isText } of channel) {
        if (isText && String(data) === 'bye') return;
        await channel.send(isText ? `${String(data)}!` : data);
      }
    },
  });
  await using fixture = await startListener(handler);
  const socket = webSocketTo(fixture, '/console');
  const ended = conversation(socket);
  await once(socket, 'open');
  socket.send('hello');
  socket.send(Buffer.from('bytes'));
  socket.send('in ', { fin: false });
  socket.send('pieces', { fin: true });
  socket.send('bye');
  assert.deepEqual(await ended, { messages: ['hello!', 'binary bytes', 'in pieces!'], code: 1000 });
  assert.deepEqual(fixture.bugs, []);
});

const negotiations = [
  { name: 'the first offered one that is spoken', offered: ['x', 'b', 'a'], chosen: 'b' },
  { name: 'none, when none is asked for', offered: [], chosen: '' },
];

for (const { name, offered, chosen } of negotiations) {
  test(`the subprotocol is ${name}`, async () => {
    let seen: string | undefined;
    const handler = accepting({
      protocols: ['a', 'b', ''],
      serve: async ({ protocol }) => {
        seen = protocol;
      },
    });
    await using fixture = await startListener(handler);
    const socket = webSocketTo(fixture, '/', { protocols: offered });
    await conversation(socket);
    assert.deepEqual([socket.protocol, seen], [chosen, chosen]);
  });
}

test('what cannot be accepted is thrown before anything is sent', async () => {
  const bad: unknown[] = [];
  await using fixture = await startListener(async (request) => {
    try {
      return acceptWebSocket(request, { protocols: ['a'], serve: async () => {} });
    } catch (error) {
      bad.push(error);
      assert.ok(error instanceof Error && 'status' in error);
      return statusResponse(error as Parameters<typeof statusResponse>[0]);
    }
  });
  const plain = await httpsRequest(fixture.url, { ca: fixture.pki.ca.cert });
  assert.equal(plain.status, 400);
  assert.match(plain.body, /Upgrade request required/);
  const socket = webSocketTo(fixture, '/', { protocols: ['poem'] });
  const [error] = (await once(socket, 'error')) as [Error];
  assert.match(error.message, /403/);
  assert.equal(bad.length, 2);
});

test('an author who fails is reported, and the client told', async () => {
  const handler = accepting({
    serve: async () => {
      throw new Error('the command is gone');
    },
  });
  await using fixture = await startListener(handler);
  const { code } = await conversation(webSocketTo(fixture, '/'));
  assert.equal(code, 1011);
  await eventually('it is reported', () => fixture.bugs.length > 0);
  assert.equal(fixture.bugs.length, 1);
});

test('an author learns that the client left, by reading, by sending and by the signal', async () => {
  const learned: string[] = [];
  const done = Promise.withResolvers<void>();
  await using fixture = await startListener(async (request) =>
    acceptWebSocket(request, {
      serve: async (channel) => {
        request.cancellation.signal.addEventListener('abort', () => learned.push('signal'));
        for await (const _ of channel) assert.fail('nothing was sent');
        learned.push('read');
        await channel.send('hello?').catch((error: unknown) => {
          assert.ok(error instanceof ClientDisconnected);
          learned.push('send');
        });
        done.resolve();
      },
    }),
  );
  const socket = webSocketTo(fixture, '/');
  await once(socket, 'open');
  socket.terminate();
  await done.promise;
  await eventually(
    () => `it learned in three ways: ${learned}`,
    () => learned.length > 2,
  );
  assert.deepEqual(learned.sort(), ['read', 'send', 'signal']);
  assert.deepEqual(fixture.bugs, []);
});

test('a client is not read from faster than the author reads', async () => {
  const start = Promise.withResolvers<void>();
  let received = 0;
  const handler = accepting({
    serve: async (channel) => {
      await start.promise;
      for await (const { data } of channel) {
        assert.equal(data.length, 100_000);
        received += 1;
        if (received === 1000) return;
      }
    },
  });
  await using fixture = await startListener(handler);
  const socket = webSocketTo(fixture, '/');
  await once(socket, 'open');
  const message = Buffer.alloc(100_000);
  let sent = 0;
  const sendNext = () => {
    sent += 1;
    if (sent <= 1000) socket.send(message, sendNext);
  };
  sendNext();
  const taken = await unchanged('what was sent', () => sent);
  assert.ok(taken < 500, `${taken} messages were taken by a server where nobody reads them`);
  start.resolve();
  await once(socket, 'close');
  assert.equal(received, 1000);
});

test('the bound on messages is the author’s', async () => {
  const handler = accepting({
    messageBytesMax: 10,
    serve: async (channel) => {
      for await (const _ of channel) await channel.send('ok');
    },
  });
  await using fixture = await startListener(handler);
  const socket = webSocketTo(fixture, '/');
  const ended = conversation(socket);
  await once(socket, 'open');
  socket.send('x'.repeat(10));
  socket.send('x'.repeat(11));
  assert.deepEqual(await ended, { messages: ['ok'], code: 1009 });
});

const codings = [
  {
    protocol: 'v5.channel.k8s.io',
    sent: [Buffer.from('\0ls\n'), Buffer.from([255, 0])],
    seen: ['0 ls\n', 'end of 0'],
    reply: 'binary \u0001out',
  },
  {
    protocol: 'v4.channel.k8s.io',
    sent: [Buffer.from('\0ls\n')],
    seen: ['0 ls\n'],
    reply: 'binary \u0001out',
  },
  { protocol: '', sent: [Buffer.from('\u0004{}')], seen: ['4 {}'], reply: 'binary \u0001out' },
  {
    protocol: 'v4.base64.channel.k8s.io',
    sent: ['0bHMK', '4e30='],
    seen: ['0 ls\n', '4 {}'],
    reply: '1b3V0',
  },
  {
    protocol: 'v5.channel.k8s.io',
    name: 'channels that do not exist',
    sent: [Buffer.from('\u0009x'), Buffer.from('\0ls')],
    seen: ['0 ls'],
    reply: 'binary \u0001out',
  },
  {
    protocol: 'base64.channel.k8s.io',
    name: 'what is no base64, or has no digit',
    sent: ['0%%%%', '!bHMK', '0bHMK'],
    seen: ['0 ls\n'],
    reply: '1b3V0',
  },
  {
    protocol: 'v4.channel.k8s.io',
    name: 'an end where there is none',
    sent: [Buffer.from([255, 0]), Buffer.from('\0ls')],
    seen: ['0 ls'],
    reply: 'binary \u0001out',
  },
] as const;

for (const { protocol, sent, seen, reply, ...rest } of codings) {
  const about = 'name' in rest ? rest.name : 'both ways';
  test(`channels in '${protocol}': ${about}`, async () => {
    const messages: string[] = [];
    const handler = accepting({
      protocols: channelProtocols,
      serve: async (socket) => {
        const channels = numberedChannels(socket);
        for await (const message of channels) {
          messages.push(describe(message));
          if (messages.length === seen.length) break;
        }
        await channels.send(commandChannels.stdout, Buffer.from('out'));
        await channels.sendStatus(successStatus({}));
      },
    });
    await using fixture = await startListener(handler);
    const socket = webSocketTo(fixture, '/', { protocols: protocol === '' ? [] : [protocol] });
    const ended = conversation(socket);
    await once(socket, 'open');
    for (const message of sent) socket.send(message);
    const { messages: replies, code } = await ended;
    assert.deepEqual(messages, seen);
    assert.equal(replies[0], reply);
    assert.equal(replies.length, 2);
    assert.equal(code, 1000);
  });
}

const broken = [
  { name: 'of no channel', message: Buffer.from([255]) },
  { name: 'of a channel that does not exist', message: Buffer.from([255, 9]) },
];

for (const { name, message } of broken) {
  test(`an end ${name} ends the conversation with 1002`, async () => {
    const handler = accepting({
      protocols: channelProtocols,
      serve: async (socket) => {
        for await (const _ of numberedChannels(socket)) assert.fail('it was understood');
      },
    });
    await using fixture = await startListener(handler);
    const socket = webSocketTo(fixture, '/', { protocols: ['v5.channel.k8s.io'] });
    const ended = conversation(socket);
    await once(socket, 'open');
    socket.send(message);
    assert.equal((await ended).code, 1002);
    assert.deepEqual(fixture.bugs, []);
  });
}

test('a connection is given away as it is, with what was sent ahead', async () => {
  await using fixture = await startListener(async () => ({
    kind: 'upgrade',
    connect: async (socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\n\r\n');
      for await (const chunk of socket) {
        socket.write(String(chunk).toUpperCase());
        if (String(chunk).includes('!')) return;
      }
    },
  }));
  const { port, pki } = fixture;
  const client = connect({ host: '127.0.0.1', port, ca: pki.ca.cert, ALPNProtocols: ['http/1.1'] });
  await once(client, 'secureConnect');
  client.write(
    'POST /exec HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\nahead',
  );
  let seen = '';
  client.on('data', (chunk) => {
    seen += String(chunk);
    if (seen.endsWith('AHEAD')) client.write('later!');
  });
  await once(client, 'end');
  assert.equal(seen, 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\n\r\nAHEADLATER!');
  assert.deepEqual(fixture.bugs, []);
});

for (const http of ['1.1', '2'] as const) {
  test(`over HTTP/${http} who did not ask for an upgrade gets 400 from what needs one`, async () => {
    await using fixture = await startListener(async () => ({
      kind: 'upgrade',
      connect: async () => assert.fail('there is no connection to give away'),
    }));
    const reply = await httpsRequest(fixture.url, { http, ca: fixture.pki.ca.cert });
    assert.equal(reply.status, 400);
    assert.match(reply.body, /Upgrade request required/);
  });
}

function describe(message: NumberedMessage): string {
  const { channel } = message;
  return message.kind === 'end' ? `end of ${channel}` : `${channel} ${String(message.data)}`;
}
