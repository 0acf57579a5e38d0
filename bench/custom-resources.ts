import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../scripts/build.ts';
import { temporaryDirectory } from '../test/harness/index.ts';
import { type Benchmark, median } from './benchmark.ts';
import {
  type Contender,
  describeStarts,
  memoryLine,
  ownTarget,
  type Start,
  seconds,
  startOnce,
  startReference,
} from './control-planes.ts';
import { DEFINITIONS_PATH, definition, definitionName, instance } from './definitions.ts';
import { type HttpsSession, httpsSession } from './https-session.ts';
import { installProgram } from './installed-program.ts';
import { latencies, percentile } from './latency.ts';

const DEFINITIONS = 500;
const AT_ONCE = 16;
const STARTS = 5;
const IDLE_MS = 10_000;
const READS = 500;
const SEEN_MS_MAX = 300_000;
const POLL_MS = 50;

export const customResources: Benchmark = {
  name: 'custom-resources',
  question: `${DEFINITIONS} CustomResourceDefinitions of 20 KB: time until served, latency of other requests, memory and start, against kube-apiserver + etcd`,
  measure: async (scope) => {
    await build();
    const site = {
      program: await installProgram(scope),
      cache: await temporaryDirectory(scope, 'bench-crd-cache-'),
      scope,
    };
    const directory = await temporaryDirectory(scope, 'bench-crd-');
    const first = await startOnce({ ...site, directory });
    const ours: Contender = {
      pids: [first.server.pid],
      target: ownTarget(directory, first.port),
    };
    const lines = [`tributary: ${await measureDefinitions(ours)}`];
    const theirs = await startReference(scope);
    if (theirs === undefined) lines.push('kube-apiserver or etcd is not built: npm run peers');
    else lines.push(`kube-apiserver: ${await measureDefinitions(theirs)}`);
    await sleep(IDLE_MS);
    lines.push(memoryLine('with all of them', theirs ? [ours, theirs] : [ours]));
    await first.server.stop();
    const starts: Start[] = [];
    for (let number = 0; number < STARTS; number += 1) {
      const { server, ...start } = await startOnce({ ...site, directory });
      await server.stop();
      starts.push(start);
    }
    lines.push(`first response after a start with all of them: ${describeStarts(starts)}`);
    return lines;
  },
};

/** Creates them while another client reads, and waits until clients find the last of them. */
async function measureDefinitions({ target }: Contender): Promise<string> {
  const read = () => latencies({ ...target, path: '/api/v1/namespaces/default' }, READS);
  const quiet = await read();
  await using session = await httpsSession(target);
  const startMs = performance.now();
  let done = false;
  const beside: number[] = [];
  const reading = (async () => {
    while (!done) beside.push(...(await latencies({ ...target, path: '/version' }, 50)));
  })();
  await createAll(session);
  const createdMs = performance.now() - startMs;
  await untilSeen(session);
  const seenMs = performance.now() - startMs;
  done = true;
  await reading;
  const after = await read();
  const p = (times: readonly number[]) =>
    `${median([...times]).toFixed(2)}/${percentile(times, 0.99).toFixed(1)} ms`;
  return [
    `created after ${seconds(createdMs)}, all in discovery and served after ${seconds(seenMs)}`,
    `reads of others p50/p99 before ${p(quiet)}, meanwhile ${p(beside)}, after ${p(after)}`,
  ].join('; ');
}

async function createAll(session: HttpsSession): Promise<void> {
  let made = 0;
  const maker = async () => {
    while (made < DEFINITIONS) {
      const number = made;
      made += 1;
      await session.post(DEFINITIONS_PATH, definition(number));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, maker));
}

async function untilSeen(session: HttpsSession): Promise<void> {
  const end = performance.now() + SEEN_MS_MAX;
  const waiting = new Set(Array.from({ length: DEFINITIONS }, (_, number) => number));
  while (waiting.size > 0) {
    if (performance.now() > end) throw new Error(`${waiting.size} definitions are not served`);
    for (const number of waiting) {
      const { group, plural } = definitionName(number);
      try {
        await session.post(`/apis/${group}/v1/namespaces/default/${plural}`, instance(number));
        waiting.delete(number);
      } catch {
        break; // Not yet served, so the later ones are not either.
      }
    }
    await sleep(POLL_MS);
  }
  for (;;) {
    const page = await session.get(`/apis/${definitionName(DEFINITIONS - 1).group}/v1`);
    if (page.includes(definitionName(DEFINITIONS - 1).plural)) return;
    await sleep(POLL_MS);
  }
}
