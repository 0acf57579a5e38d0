import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { defer, type Pki, temporaryDirectory, writePki } from '../../test/harness/index.ts';
import { requirePeer } from './peers.ts';

/** The port of a server that speaks SPDY, and has nothing but exec; it ends with its input. */
export async function startSpdyEcho(t: TestContext, pki: Pki): Promise<number> {
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
