/** Conversations like those of `kubectl exec` over SPDY, through our proxy: client-go at both ends. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import {
  backendsAt,
  flunders,
  type ProxyFixture,
  startProxy,
} from '../../packages/aggregator/test/proxy-fixture.ts';
import {
  createPki,
  defer,
  type Pki,
  temporaryDirectory,
  writeKubeconfig,
  writePki,
} from '../../test/harness/index.ts';
import { requirePeer } from '../peers/peers.ts';

const LENGTH = 10 * 1024 * 1024;
const path = `${flunders}/a/exec`;

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

for (const { name, flags, want } of cases) {
  test(name, async (t) => {
    const pki = createPki();
    await using proxy = await startProxy({ pki, backends: backendsAt(await startServer(t, pki)) });
    assert.deepEqual(await converse(t, proxy, flags), want);
    assert.deepEqual(proxy.bugs, []);
  });
}

/** The port of a server that speaks SPDY; it ends with its input. */
async function startServer(t: TestContext, pki: Pki): Promise<number> {
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

async function converse(t: TestContext, { url, pki }: ProxyFixture, flags: readonly string[]) {
  const kubeconfig = await writeKubeconfig(t, { server: url, ca: pki.ca.cert, user: pki.admin });
  const { stdout } = await promisify(execFile)(requirePeer('spdy-echo'), [
    'exec',
    `--kubeconfig=${kubeconfig}`,
    `--path=${path}`,
    `--bytes=${LENGTH}`,
    ...flags,
  ]);
  return JSON.parse(stdout) as unknown;
}
