import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../scripts/build.ts';
import { type TestScope, temporaryDirectory } from '../test/harness/index.ts';
import type { Benchmark } from './benchmark.ts';
import { createConfigMaps } from './config-maps.ts';
import {
  type Contender,
  cpu,
  describeStarts,
  memoryLine,
  ownTarget,
  type Start,
  seconds,
  startOnce,
  startReference,
} from './control-planes.ts';
import { installProgram } from './installed-program.ts';

const STARTS = 7;
const OBJECTS = 10_000;
const IDLE_MS = 10_000;

export const startup: Benchmark = {
  name: 'startup',
  question:
    'from the start of `tributary up` to the first 200 of /readyz (budget ≤ 0.5 s), and resident memory (budget ≤ ⅓), against kube-apiserver + etcd',
  measure: async (scope) => {
    await build();
    const lines = [`load average ${loadavg()[0]?.toFixed(1)}`];
    const ours = await measureStarts(scope, lines);
    const theirs = await startReference(scope);
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

/** Starts the program repeatedly; the last process keeps running. */
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
  const dataDirectory = await directory();
  for (const one of [await directory(), await directory(), dataDirectory]) {
    const { server, ...start } = await startOnce({ ...site, directory: one });
    await server.stop();
    empty.push(start);
  }
  const again: Start[] = [];
  for (let number = 1; number < STARTS; number += 1) {
    const { server, ...start } = await startOnce({ ...site, directory: dataDirectory });
    await server.stop();
    again.push(start);
  }
  const { server, port, ...start } = await startOnce({ ...site, directory: dataDirectory });
  again.push(start);
  lines.push(
    `first response: ${describeStarts(again)} (median of ${STARTS} starts with data)`,
    `on an empty data directory: ${describeStarts(empty)} (median of ${empty.length})`,
    `there and without compiled code: ${describeStarts([first])} (once)`,
  );
  return { pids: [server.pid], target: ownTarget(dataDirectory, port) };
}
