/** A real program of the reference stack that is killed and started again, with the words that it was started with. */
import { readFile } from 'node:fs/promises';
import {
  eventually,
  type KeyPair,
  respondsHttps,
  type StartedProcess,
  startProcess,
  type TestScope,
} from '../../test/harness/index.ts';
import { groupMembers } from '../../test/harness/process-group.ts';
import type { Victim } from '../../test/informers/site.ts';
import type { PeerProcess } from '../stack.ts';

export interface PeerServer {
  readonly process: PeerProcess;
  readonly url: string;
  readonly ca: string;
  readonly admin: KeyPair;
}

/** About 6 s on an idle machine. */
const READY_TIMEOUT_MS = 90_000;

export async function peerVictim(scope: TestScope, server: PeerServer): Promise<Victim> {
  const { name, pid } = server.process;
  const [command = '', ...args] = await wordsOf(pid);
  const died = Promise.withResolvers<never>();
  died.promise.catch(() => undefined); // Only for those who want to know.
  let running: StartedProcess | undefined;

  const start = async (): Promise<void> => {
    const started = await startProcess(scope, {
      name: `${name}, started again`,
      command,
      args,
      ready: respondsHttps(`${server.url}/readyz`, { ca: server.ca, ...server.admin }),
      readyTimeoutMs: READY_TIMEOUT_MS,
      graceMs: 0, // Its data go with it, so there is nothing to end cleanly.
    });
    running = started;
    void started.exited.then(() => {
      if (running === started) died.reject(new Error(`${name} ended by itself:\n${started.log()}`));
    });
  };
  const kill = async (): Promise<void> => {
    const current = running;
    running = undefined;
    if (current === undefined) await killFirst(pid);
    else {
      current.kill('SIGKILL');
      await current.exited;
    }
  };
  return {
    name,
    died: died.promise,
    killAndStart: async () => {
      await kill();
      await start();
    },
  };
}

/** Of a process that lives; its arguments end with a zero byte each. */
async function wordsOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8');
  return text.split('\0').slice(0, -1);
}

/** The one that the stack started is the leader of its process group. */
async function killFirst(pid: number): Promise<void> {
  process.kill(-pid, 'SIGKILL');
  await eventually(`process ${pid} ends`, () => groupMembers(pid).length === 0);
}
