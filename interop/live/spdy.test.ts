/** Conversations like those of `kubectl exec` over SPDY, through our proxy: client-go at both ends. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import {
  backendsAt,
  flunders,
  type ProxyFixture,
  startProxy,
} from '../../packages/aggregator/test/proxy-fixture.ts';
import { createPki, writeKubeconfig } from '../../test/harness/index.ts';
import { requirePeer } from '../peers/peers.ts';
import { startSpdyEcho } from '../peers/start-spdy-echo.ts';

const LENGTH = 10 * 1024 * 1024;
const path = `${flunders}/a/exec`;

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

for (const { name, flags, want } of cases) {
  test(name, async (t) => {
    const pki = createPki();
    await using proxy = await startProxy({
      pki,
      backends: backendsAt(await startSpdyEcho(t, pki)),
    });
    assert.deepEqual(await converse(t, proxy, flags), want);
    assert.deepEqual(proxy.bugs, []);
  });
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
