import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sourceFlags } from '../packages/server/launcher.js';
import { createPki, type TestScope, temporaryDirectory } from '../test/harness/index.ts';
import type { LoadTarget } from './http-load.ts';

export interface BenchServer {
  readonly pid: number;
  target(path: string): LoadTarget;
  /** Sends a line and waits for the response line. */
  command(line: string): Promise<string>;
}

/** Starts `bench-server.ts` with new certificates. */
export async function startBenchServer(
  scope: TestScope,
  engine: 'sqlite' | 'memory',
): Promise<BenchServer> {
  const directory = await temporaryDirectory(scope, 'bench-server-');
  const pki = await createPki();
  const files = { 'tls.crt': pki.server.cert, 'tls.key': pki.server.key, 'ca.crt': pki.ca.cert };
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  const child = spawn(
    process.execPath,
    [
      ...sourceFlags(),
      join(import.meta.dirname, 'bench-server.ts'),
      engine,
      join(directory, 'store'),
      ...Object.keys(files).map((name) => join(directory, name)),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  scope.after(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const lines = linesOf(child);
  const port = Number(/(\d+)/.exec(await lines.next())?.[1]);
  const { cert, key } = pki.admin;
  return {
    pid: child.pid ?? 0,
    target: (path) => ({ port, ca: pki.ca.cert, cert, key, path }),
    command: async (line) => {
      child.stdin?.write(`${line}\n`);
      return lines.next();
    },
  };
}

function linesOf(child: ChildProcess): { next(): Promise<string> } {
  if (child.stdout === null) throw new Error('the server has no output');
  const iterator = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    next: async () => {
      const { value, done } = await iterator.next();
      if (done) throw new Error('the server ended');
      return value;
    },
  };
}
