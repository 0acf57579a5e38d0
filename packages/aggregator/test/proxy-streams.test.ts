/** Bodies on their way, watches, and the time that they have. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpsRequestOf } from 'node:https';
import { test } from 'node:test';
import { eventually, take, VirtualClock } from '../../../test/harness/index.ts';
import { untilUnchanged } from '../../proxy/test/until-unchanged.ts';
import { HELD_MS, heldClock } from './held-clock.ts';
import { flunders, PROTOCOLS, startProxy } from './proxy-fixture.ts';

const DISCOVERY_TIMEOUT_MS = 5_000;

for (const { http, behind } of PROTOCOLS) {
  test(`from HTTP/${http} to HTTP/${behind}, large bodies go both ways unchanged`, async () => {
    await using fixture = await startProxy({
      behind,
      behaviour: (request, response) => {
        response.writeHead(200, { 'content-type': 'application/octet-stream' });
        request.pipe(response);
      },
    });
    const body = Buffer.alloc(5 * 1024 * 1024);
    for (let at = 0; at < body.length; at += 4) body.writeUInt32LE((at * 2654435761) >>> 0, at);
    const response = await fixture.request(flunders, { http, method: 'POST', body });
    assert.ok(response.bytes.equals(body));
  });

  test(`from HTTP/${http} to HTTP/${behind}, an answer that breaks is broken for the client, and no bug of ours`, async () => {
    const broken = Promise.withResolvers<() => void>();
    await using fixture = await startProxy({
      behind,
      behaviour: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"items":[');
        broken.resolve(() => response.destroy(new Error('broken')));
      },
    });
    const stream = await fixture.stream(flunders, { http });
    const reading = assert.rejects(Array.fromAsync(stream.lines));
    (await broken.promise)();
    await reading;
    assert.deepEqual(fixture.bugs, []);
  });

  test(`from HTTP/${http} to HTTP/${behind}, the server hears that the client has left`, async () => {
    const left = Promise.withResolvers<void>();
    await using fixture = await startProxy({
      behind,
      behaviour: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
        response.on('close', () => left.resolve());
      },
    });
    const stream = await fixture.stream(`${flunders}?watch=1`, { http });
    await stream.close();
    await left.promise;
    assert.deepEqual(fixture.bugs, []);
  });

  test(`from HTTP/${http} to HTTP/${behind}, events of a watch come at once, and its end is an end`, async () => {
    const events = Promise.withResolvers<(line: string | undefined) => void>();
    await using fixture = await startProxy({
      behind,
      behaviour: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
        events.resolve((line) => {
          if (line === undefined) response.end();
          else response.write(line);
        });
      },
    });
    const stream = await fixture.stream(`${flunders}?watch=1`, { http });
    const say = await events.promise;
    const lines = stream.lines[Symbol.asyncIterator]();
    for (let count = 0; count < 20; count += 1) {
      say(`{"count":${count}}\n`); // the next one is not said before this one has come
      assert.deepEqual(await take(lines, 1), [{ count }]);
    }
    say(undefined);
    assert.equal((await lines.next()).done, true);
    assert.deepEqual(fixture.bugs, []);
  });
}

test('a server that is silent costs a request its time, and no more', async () => {
  const clock = heldClock();
  const asked = Promise.withResolvers<void>();
  await using fixture = await startProxy({
    behaviour: () => asked.resolve(),
    config: { clock, requestTimeoutMs: HELD_MS },
  });
  const requesting = fixture.request(flunders);
  await asked.promise;
  clock.fire();
  const response = await requesting;
  assert.equal(response.status, 504);
  assert.match(response.body, /request did not complete within the allotted timeout/);
});

test('the time of a request counts until its answer is complete', async () => {
  const clock = heldClock();
  await using fixture = await startProxy({
    behaviour: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"items":[');
    },
    config: { clock, requestTimeoutMs: HELD_MS },
  });
  const stream = await fixture.stream(flunders);
  const reading = assert.rejects(Array.fromAsync(stream.lines));
  assert.equal(clock.held, 1);
  clock.fire();
  await reading;
  assert.deepEqual(fixture.bugs, []);
});

test('a watch lives longer than requests do, and ends cleanly when the server stops', async () => {
  const clock = heldClock();
  const late = Promise.withResolvers<() => void>();
  const silent = Promise.withResolvers<void>();
  await using fixture = await startProxy({
    behaviour: (request, response) => {
      if (!request.url?.includes('watch')) return silent.resolve();
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      late.resolve(() => response.write('{"late":true}\n'));
    },
    config: {
      clock,
      requestTimeoutMs: HELD_MS,
      shutdown: { watchGraceMs: 100, drainMs: 60_000 },
    },
  });
  const stream = await fixture.stream(`${flunders}?watch=1`);
  const lines = stream.lines[Symbol.asyncIterator]();
  const requesting = fixture.request(flunders);
  await silent.promise;
  clock.fire();
  assert.equal((await requesting).status, 504, 'the time of requests is over');
  (await late.promise)();
  assert.deepEqual(await take(lines, 1), [{ late: true }]);
  const closing = fixture.closeFront();
  assert.equal((await lines.next()).done, true);
  await closing;
});

test('a request for one group version has five seconds', async () => {
  const clock = new VirtualClock();
  await using fixture = await startProxy({ behaviour: () => {}, proxy: { clock } });
  const requesting = fixture.request('/apis/wardle.example.com/v1alpha1');
  await eventually('its time runs', () => clock.pending === 1);
  await clock.advance(DISCOVERY_TIMEOUT_MS - 1);
  assert.equal(clock.pending, 1, 'it is not over yet');
  await clock.advance(1);
  const response = await requesting;
  assert.equal(response.status, 503);
  assert.match(response.body, /error trying to reach service: context deadline exceeded/);
});

test('a reader that is slow slows the server, and is not remembered for', async () => {
  let sent = 0;
  await using fixture = await startProxy({
    behaviour: (request, response) => {
      if (!request.url?.includes('watch')) return void response.end();
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(256 * 1024))) sent += 256;
        sent += 256;
      };
      response.on('drain', more);
      more();
    },
  });
  const outgoing = httpsRequestOf(`${fixture.url}${flunders}?watch=1`, {
    ca: fixture.pki.ca.cert,
    agent: false,
  });
  const [incoming] = await once(outgoing.end(), 'response');
  assert.equal(incoming.statusCode, 200);
  incoming.pause();
  await untilUnchanged(
    () => sent,
    () => fixture.request(flunders),
  );
  // Buffers of the kernel and of four sockets, and no more.
  assert.ok(
    sent > 0 && sent < 32 * 1024,
    `${sent} KiB were taken from the server for a client that reads nothing`,
  );
  outgoing.destroy();
});
