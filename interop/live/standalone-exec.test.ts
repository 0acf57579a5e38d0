/** Conversations like those of `kubectl exec` over SPDY with a cluster, through a stand-alone aggregator. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { startStandalone } from '../../test/aggregator/standalone-program.ts';
import {
  createPki,
  defer,
  type Pki,
  requireProgram,
  temporaryDirectory,
  writeKubeconfig,
  writePki,
} from '../../test/harness/index.ts';
import { requirePeer } from '../peers/peers.ts';

const LENGTH = 10 * 1024 * 1024;
const EXEC = '/api/v1/namespaces/default/pods/a/exec';

const cases = [
  {
    name: 'the client closes its half, and then hears 10 MiB of its own',
    flags: [],
    want: { received: LENGTH, equal: true, heard: false },
  },
  {
    name: 'the server says 10 MiB and closes its half, and then hears 10 MiB',
    flags: ['--server-first'],
    want: { received: LENGTH, equal: true, heard: true },
  },
];

test('exec over SPDY, forwarded', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const pki = createPki();
  const server = `https://127.0.0.1:${await startExecServer(t, pki)}`;
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

/** All that it has of a cluster is exec. The port; it ends with its input. */
async function startExecServer(t: TestContext, pki: Pki): Promise<number> {
  const files = await writePki(await temporaryDirectory(t, 'spdy-'), pki);
  const args = ['serve', `--cert=${files.serverCertFile}`, `--key=${files.serverKeyFile}`];
  const child = spawn(requirePeer('spdy-echo'), args, { stdio: ['pipe', 'pipe', 'inherit'] });
  defer(t, async () => {
    const exited = once(child, 'exit');
    child.stdin.end();
    await exited;
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return (JSON.parse(line) as { port: number }).port;
}
