import { mkdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { peerPath } from '../interop/peers/peers.ts';
import { type PeerProcess, startReferenceStack } from '../interop/stack.ts';
import { build } from '../scripts/build.ts';
import {
  freePort,
  httpsRequest,
  type StartedProcess,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../test/harness/index.ts';
import { type Benchmark, median } from './benchmark.ts';
import { createConfigMaps } from './config-maps.ts';
import type { LoadTarget } from './http-load.ts';
import { type InstalledProgram, installProgram } from './installed-program.ts';
import { cpuSeconds, residentBytes } from './process-cost.ts';

const STARTS = 7;
const OBJECTS = 10_000;
const IDLE_MS = 10_000;
const POLL_MS = 2;
const READY_MS_MAX = 60_000;

export const startup: Benchmark = {
  name: 'startup',
  question:
    'from the start of `tributary up` to the first 200 of /readyz (budget ≤ 0.5 s), and resident memory (budget ≤ ⅓), against kube-apiserver + etcd',
  measure: async (scope) => {
    await build();
    const lines = [`load average ${loadavg()[0]?.toFixed(1)}`];
    const ours = await measureStarts(scope, lines);
    const theirs = await startOriginal(scope);
    if (theirs === undefined) lines.push('kube-apiserver or etcd is not built: npm run peers');
    else
      lines.push(`kube-apiserver + etcd: ready after ${seconds(theirs.readyMs)}, ${cpu(theirs)}`);
    const contenders = theirs ? [ours, theirs] : [ours];
    await sleep(IDLE_MS);
    lines.push(memoryLine('idle', contenders));
    for (const { target } of contenders) await createConfigMaps(target, OBJECTS);
    await sleep(IDLE_MS);
    lines.push(memoryLine(`with ${OBJECTS} ConfigMaps of 1 KB`, contenders));
    return lines;
  },
};

interface Contender {
  readonly pids: readonly number[];
  readonly target: Omit<LoadTarget, 'path'>;
}

interface Start {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Starts the program again and again; the last one stays. */
async function measureStarts(scope: TestScope, lines: string[]): Promise<Contender> {
  const site = {
    program: await installProgram(scope),
    cache: await temporaryDirectory(scope, 'bench-startup-cache-'),
    scope,
  };
  const directory = async () => temporaryDirectory(scope, 'bench-startup-');
  const first = await startOnce({ ...site, directory: await directory() });
  await first.server.stop();
  const empty: Start[] = [];
  const kept = await directory();
  for (const one of [await directory(), await directory(), kept]) {
    const { server, ...start } = await startOnce({ ...site, directory: one });
    await server.stop();
    empty.push(start);
  }
  const again: Start[] = [];
  for (let number = 1; number < STARTS; number += 1) {
    const { server, ...start } = await startOnce({ ...site, directory: kept });
    await server.stop();
    again.push(start);
  }
  const { server, port, ...start } = await startOnce({ ...site, directory: kept });
  again.push(start);
  lines.push(
    `first answer: ${describe(again)} (median of ${STARTS} starts with data)`,
    `on an empty data directory: ${describe(empty)} (median of ${empty.length})`,
    `there and without compiled code: ${describe([first])} (once)`,
  );
  const read = (name: string) => readFileSync(join(kept, 'pki', name), 'utf8');
  const target = {
    port,
    ca: read('server-ca.crt'),
    cert: read('admin.crt'),
    key: read('admin.key'),
  };
  return { pids: [server.pid], target };
}

async function startOnce({
  scope,
  program,
  cache,
  directory,
}: {
  scope: TestScope;
  program: InstalledProgram;
  cache: string;
  directory: string;
}): Promise<Start & { server: StartedProcess; port: number }> {
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
  await firstAnswer(`https://127.0.0.1:${port}/readyz`, join(directory, 'pki', 'server-ca.crt'));
  const wallMs = performance.now() - startedAt;
  return { server, port, wallMs, cpuMs: cpuSeconds(server.pid) * 1000 };
}

/** Costs nothing to speak of: the machine is the server's until it answers. */
async function portOpens(port: number): Promise<void> {
  const end = performance.now() + READY_MS_MAX;
  while (!(await accepts(port))) {
    if (performance.now() > end) throw new Error(`nobody listens on port ${port}`);
    await sleep(POLL_MS);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const settle = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}

/** Asks without a pause to speak of: whoever waits for a server connects as soon as it can. */
async function firstAnswer(url: string, caFile: string): Promise<void> {
  const end = performance.now() + READY_MS_MAX;
  for (;;) {
    try {
      const { status } = await httpsRequest(url, { ca: readFileSync(caFile, 'utf8') });
      if (status === 200) return;
    } catch (error) {
      // No file, nobody at the port, or not ready: it is starting.
      if (performance.now() > end) throw error;
    }
    await sleep(POLL_MS);
  }
}

async function startOriginal(
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

function memoryLine(when: string, contenders: readonly Contender[]): string {
  const [ours = Number.NaN, theirs] = contenders.map(({ pids }) =>
    pids.reduce((total, pid) => total + residentBytes(pid), 0),
  );
  const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
  if (theirs === undefined) return `${when}: ${megabytes(ours)} resident`;
  const ratio = (ours / theirs).toFixed(2);
  return `${when}: ${megabytes(ours)} resident, ${ratio}× the ${megabytes(theirs)} of kube-apiserver + etcd`;
}

function describe(starts: readonly Start[]): string {
  const wall = seconds(median(starts.map(({ wallMs }) => wallMs)));
  return `${wall}, ${cpu({ cpuMs: median(starts.map(({ cpuMs }) => cpuMs)) })}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function cpu({ cpuMs }: Pick<Start, 'cpuMs'>): string {
  return `${seconds(cpuMs)} of CPU`;
}
