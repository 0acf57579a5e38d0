/** `tributary up` as it is installed, and the reference control plane, for benchmarks of a whole control plane. */
import { mkdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { peerPath } from '../interop/peers/peers.ts';
import { type PeerProcess, startReferenceStack } from '../interop/stack.ts';
import {
  freePort,
  httpsRequest,
  type StartedProcess,
  startProcess,
  type TestScope,
} from '../test/harness/index.ts';
import { median } from './benchmark.ts';
import type { LoadTarget } from './http-load.ts';
import type { InstalledProgram } from './installed-program.ts';
import { cpuSeconds, residentBytes } from './process-cost.ts';

const POLL_MS = 2;
const READY_MS_MAX = 60_000;

export interface Contender {
  readonly pids: readonly number[];
  readonly target: Omit<LoadTarget, 'path'>;
}

export interface Start {
  readonly wallMs: number;
  readonly cpuMs: number;
}

export interface Site {
  readonly scope: TestScope;
  readonly program: InstalledProgram;
  /** Directory of the compile cache. */
  readonly cache: string;
}

/** Resolves at the first response. */
export async function startOnce({
  scope,
  program,
  cache,
  directory,
}: Site & { readonly directory: string }): Promise<
  Start & { server: StartedProcess; port: number }
> {
  mkdirSync(directory, { recursive: true });
  const port = await freePort();
  const startedAt = performance.now();
  const server = await startProcess(scope, {
    name: 'tributary up',
    command: program.command,
    args: ['up', `--secure-port=${port}`, `--data-dir=${directory}`],
    env: {
      ...program.env,
      TRIBUTARY_CACHE_DIR: cache,
      NODE_COMPILE_CACHE: undefined,
      NODE_OPTIONS: undefined,
    },
  });
  await portOpens(port);
  await firstResponse(`https://127.0.0.1:${port}/readyz`, join(directory, 'pki', 'server-ca.crt'));
  const wallMs = performance.now() - startedAt;
  return { server, port, wallMs, cpuMs: cpuSeconds(server.pid) * 1000 };
}

/** Polls the port, which is cheap: the machine is left to the starting server. */
async function portOpens(port: number): Promise<void> {
  const end = performance.now() + READY_MS_MAX;
  while (!(await accepts(port))) {
    if (performance.now() > end) throw new Error(`nothing listens on port ${port}`);
    await sleep(POLL_MS);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const finish = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => finish(true)).once('error', () => finish(false));
  });
}

/** Polls almost without a pause, as a client that waits for a server does. */
async function firstResponse(url: string, caFile: string): Promise<void> {
  const end = performance.now() + READY_MS_MAX;
  for (;;) {
    try {
      const { status } = await httpsRequest(url, { ca: readFileSync(caFile, 'utf8') });
      if (status === 200) return;
    } catch (error) {
      // No kubeconfig, no listener, or not ready: it is starting.
      if (performance.now() > end) throw error;
    }
    await sleep(POLL_MS);
  }
}

/** Undefined when the programs are not built. */
export async function startReference(
  scope: TestScope,
): Promise<(Contender & { readyMs: number; cpuMs: number }) | undefined> {
  const names = ['etcd', 'kube-apiserver', 'sample-apiserver'] as const;
  if (names.some((name) => peerPath(name) === undefined)) return undefined;
  const { kubeApiserver, processes } = await startReferenceStack({ scope, durable: true });
  const measured = processes.filter(({ name }) => name !== 'sample-apiserver');
  const sum = (figure: (one: PeerProcess) => number) =>
    measured.reduce((total, one) => total + figure(one), 0);
  const { url, ca, admin } = kubeApiserver;
  return {
    pids: measured.map(({ pid }) => pid),
    target: { port: Number(new URL(url).port), ca, ...admin },
    readyMs: sum(({ readyMs }) => readyMs),
    cpuMs: sum(({ pid }) => cpuSeconds(pid) * 1000),
  };
}

export function memoryLine(when: string, contenders: readonly Contender[]): string {
  const [ours = Number.NaN, theirs] = contenders.map(({ pids }) =>
    pids.reduce((total, pid) => total + residentBytes(pid), 0),
  );
  const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
  if (theirs === undefined) return `${when}: ${megabytes(ours)} resident`;
  const ratio = (ours / theirs).toFixed(2);
  return `${when}: ${megabytes(ours)} resident, ${ratio}× the ${megabytes(theirs)} of kube-apiserver + etcd`;
}

export function describeStarts(starts: readonly Start[]): string {
  const wall = seconds(median(starts.map(({ wallMs }) => wallMs)));
  return `${wall}, ${cpu({ cpuMs: median(starts.map(({ cpuMs }) => cpuMs)) })}`;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

export function cpu({ cpuMs }: Pick<Start, 'cpuMs'>): string {
  return `${seconds(cpuMs)} of CPU`;
}

/** An administrator of a `tributary up` with its data in a directory. */
export function ownTarget(directory: string, port: number): Contender['target'] {
  const read = (name: string) => readFileSync(join(directory, 'pki', name), 'utf8');
  return { port, ca: read('server-ca.crt'), cert: read('admin.crt'), key: read('admin.key') };
}
