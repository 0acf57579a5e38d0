/** `tributary up` that is ended in any way and started again, with the same store and at the same port. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminOf, tributaryUp } from '../faults/core-program.ts';
import {
  freePort,
  logShows,
  type StartedProcess,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../harness/index.ts';
import { type Gateway, programAt } from './gateway-program.ts';

export interface RestartedGateway {
  /** Of the last start. */
  readonly current: Gateway;
  /** Gives how long it took until it said that it is ready, without the time in which others had the processors. */
  start(more?: readonly string[]): Promise<number>;
  /** As `kill -9` does. */
  kill(): Promise<void>;
}

const READY = /is ready at (https:\S+)/;

/** Not started yet. */
export async function createGateway(
  scope: TestScope,
  flags: readonly string[] = [],
): Promise<RestartedGateway> {
  const dataDir = await temporaryDirectory(scope, 'gateway-');
  const credentials = await adminOf(dataDir);
  const port = await freePort();
  let running: StartedProcess | undefined;
  let current: Gateway | undefined;
  return {
    get current() {
      if (current === undefined) throw new Error('the gateway was never started');
      return current;
    },
    async start(more = []) {
      const beganMs = performance.now();
      running = await startProcess(scope, {
        name: 'tributary up',
        ...tributaryUp(dataDir, { port, flags: ['--sample=none', ...flags, ...more] }),
        ready: logShows(READY),
      });
      const tookMs = performance.now() - beganMs - queuedMs(running.pid);
      const url = `https://127.0.0.1:${port}`;
      const kubeconfig = join(dataDir, 'admin.kubeconfig');
      current = { ...programAt(url, running, credentials), kubeconfig };
      return tookMs;
    },
    async kill() {
      running?.kill('SIGKILL');
      await running?.stop();
    },
  };
}

/** How long the main thread of a process could have run and was not let, where the kernel tells. */
function queuedMs(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const [, nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}
