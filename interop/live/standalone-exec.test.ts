/** Conversations like those of `kubectl exec` over SPDY with a cluster, through a stand-alone aggregator. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startStandalone } from '../../test/aggregator/standalone-program.ts';
import { createPki, requireProgram, writeKubeconfig } from '../../test/harness/index.ts';
import { requirePeer } from '../peers/peers.ts';
import { startSpdyEcho } from '../peers/start-spdy-echo.ts';

const LENGTH = 10 * 1024 * 1024;
const EXEC = '/api/v1/namespaces/default/pods/a/exec';

const cases = [
  {
    name: 'the client closes its half, and then hears 10 MiB of its own',
    flags: [],
    want: { received: LENGTH, equal: true, echoed: false },
  },
  {
    name: 'the server says 10 MiB and closes its half, and then hears 10 MiB',
    flags: ['--server-first'],
    want: { received: LENGTH, equal: true, echoed: true },
  },
];

test('exec over SPDY, forwarded', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const pki = createPki();
  const server = `https://127.0.0.1:${await startSpdyEcho(t, pki)}`;
  const kubeconfig = await writeKubeconfig(t, { server, ca: pki.ca.cert, user: pki.admin });
  const front = await startStandalone(t, { kubeconfig });
  for (const { name, flags, want } of cases) {
    await t.test(name, async () => {
      const { stdout } = await promisify(execFile)(requirePeer('spdy-echo'), [
        'exec',
        `--kubeconfig=${front.kubeconfig}`,
        `--path=${EXEC}`,
        `--bytes=${LENGTH}`,
        ...flags,
      ]);
      assert.deepEqual(JSON.parse(stdout), want);
    });
  }
});
