/** Errors that no handler caught: one connection ends, or the process with one line; never anything in between. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  createPki,
  httpsRequest,
  runSource,
  startProcess,
  temporaryDirectory,
  writePki,
} from '../../../test/harness/index.ts';
import { textResponse } from '../src/request/respond.ts';
import { startListener } from './listener-fixture.ts';

async function start(t: TestContext) {
  const directory = await temporaryDirectory(t, 'uncaught-');
  const pki = createPki();
  const files = await writePki(directory, pki);
  const program = await startProcess(t, {
    name: 'uncaught',
    ...runSource(join(import.meta.dirname, 'uncaught-program.ts'), [
      files.serverCertFile,
      files.serverKeyFile,
    ]),
  });
  const [, url = ''] = await program.waitForLog(/is ready at (https:\S+)/);
  return { program, url, ca: pki.ca.cert };
}

test('an uncaught error ends the connection it came from, is counted, and others are served', async (t) => {
  const { program, url, ca } = await start(t);
  const other = connect(url, { ca });
  t.after(() => other.destroy());
  let count = 0;
  for (const http of ['1.1', '2'] as const) {
    for (const path of ['/timer', '/immediate', '/tick', '/promise', '/body', '/end']) {
      const asked = httpsRequest(url + path, { http, ca, method: 'POST', body: 'x' });
      await assert.rejects(asked, `${path} over HTTP/${http}`);
      count += 1;
      const stream = other.request({ ':path': '/' });
      const [head] = await once(stream.resume(), 'response');
      assert.equal(head[':status'], 200);
      const { body } = await httpsRequest(`${url}/metrics`, { ca });
      assert.match(body, new RegExp(`^tributary_uncaught_errors_total ${count}$`, 'm'));
    }
  }
  assert.match(program.log(), /Closed connection after an uncaught error/);
});

test('requests that are served together do not end each other', async (t) => {
  const { url, ca } = await start(t);
  const sessions = Array.from({ length: 8 }, () => connect(url, { ca }));
  t.after(() => {
    for (const session of sessions) session.destroy();
  });
  for (const session of sessions) session.on('error', () => {});
  await Promise.all(sessions.map((session) => once(session, 'connect')));
  // Written in one turn, so that they arrive together and share a cohort.
  const outcomes = sessions.map(async (session, at) => {
    const path = at % 2 === 0 ? '/' : '/immediate';
    const stream = session.request({ ':path': path });
    return Promise.race([
      once(stream, 'response').then(() => 'response'),
      once(stream, 'close').then(() => 'closed'),
    ]).catch(() => 'closed');
  });
  const wanted = sessions.map((_, at) => (at % 2 === 0 ? 'response' : 'closed'));
  assert.deepEqual(await Promise.all(outcomes), wanted);
});

test('an uncaught error of the process itself ends it with one line', async (t) => {
  const { program, url, ca } = await start(t);
  await assert.rejects(httpsRequest(`${url}/process`, { ca }));
  assert.deepEqual(await program.exited, { code: 1, signal: null });
  const lines = program.log().trimEnd().split('\n').slice(1);
  assert.equal(lines.length, 1, program.log());
  assert.match(
    lines[0] ?? '',
    /^uncaught: exiting after an uncaught error: Error: thrown in the process \| with/,
  );
});

for (const http of ['1.1', '2'] as const) {
  test(`over HTTP/${http} a response with a header that HTTP cannot carry is a 500 with a Status`, async () => {
    await using fixture = await startListener(async () => ({
      ...textResponse(200, 'never'),
      headers: [['x-bad', 'a\nb']],
    }));
    const response = await httpsRequest(fixture.url, { http, ca: fixture.pki.ca.cert });
    assert.equal(response.status, 500);
    assert.equal((response.json() as { reason: string }).reason, 'InternalError');
    assert.equal(fixture.bugs.length, 1);
  });
}
