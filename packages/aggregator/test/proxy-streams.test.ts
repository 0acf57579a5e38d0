/** Bodies on their way, watches, and the time that they have. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpsRequestOf } from 'node:https';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownTime, take } from '../../../test/harness/index.ts';
import { flunders, PROTOCOLS, startProxy } from './proxy-fixture.ts';

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
    await using fixture = await startProxy({
      behind,
      behaviour: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"items":[');
        setTimeout(() => response.destroy(new Error('broken')), 50);
      },
    });
    await assert.rejects(fixture.request(flunders, { http }));
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
    const times: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      await sleep(5);
      const time = ownTime();
      say(`{"count":${count}}\n`);
      assert.deepEqual(await take(lines, 1), [{ count }]);
      times.push(time.elapsedMs());
      time.close();
    }
    // What holds events back holds back every one; the machine, now and then one.
    const medianMs = times.sort((a, b) => a - b)[times.length / 2] ?? Number.NaN;
    assert.ok(medianMs < 20, `an event took ${medianMs} ms`);
    say(undefined);
    assert.equal((await lines.next()).done, true);
    assert.deepEqual(fixture.bugs, []);
  });
}

test('a server that is silent costs a request its time, and no more', async () => {
  await using fixture = await startProxy({
    behaviour: () => {},
    config: { requestTimeoutMs: 100 },
  });
  const response = await fixture.request(flunders);
  assert.equal(response.status, 504);
  assert.match(response.body, /request did not complete within the allotted timeout/);
});

test('the time of a request counts until its answer is complete', async () => {
  await using fixture = await startProxy({
    behaviour: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"items":[');
    },
    config: { requestTimeoutMs: 200 },
  });
  const startMs = performance.now();
  await assert.rejects(fixture.request(flunders));
  assert.ok(performance.now() - startMs < 3000);
  assert.deepEqual(fixture.bugs, []);
});

test('a watch lives longer than requests do, and ends cleanly when the server stops', async () => {
  await using fixture = await startProxy({
    behaviour: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      setTimeout(() => response.write('{"late":true}\n'), 300);
    },
    config: { requestTimeoutMs: 100, shutdown: { watchGraceMs: 100, drainMs: 2000 } },
  });
  const stream = await fixture.stream(`${flunders}?watch=1`);
  const lines = stream.lines[Symbol.asyncIterator]();
  assert.deepEqual(await take(lines, 1), [{ late: true }]);
  const closing = fixture.closeFront();
  assert.equal((await lines.next()).done, true);
  await closing;
});

test('a request for one group version has five seconds', async () => {
  await using fixture = await startProxy({ behaviour: () => {} });
  const startMs = performance.now();
  const response = await fixture.request('/apis/wardle.example.com/v1alpha1');
  const tookMs = performance.now() - startMs;
  assert.equal(response.status, 503);
  assert.match(response.body, /error trying to reach service: context deadline exceeded/);
  assert.ok(tookMs > 4900 && tookMs < 7000, `${tookMs}`);
});

test('a reader that is slow slows the server, and is not remembered for', async () => {
  let sent = 0;
  await using fixture = await startProxy({
    behaviour: (_, response) => {
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
  let before = -1;
  while (before !== sent) {
    before = sent;
    await sleep(200);
  }
  // Buffers of the kernel and of four sockets, and no more.
  assert.ok(
    sent > 0 && sent < 32 * 1024,
    `${sent} KiB were taken from the server for a client that reads nothing`,
  );
  outgoing.destroy();
});
