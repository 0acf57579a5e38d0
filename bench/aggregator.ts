import {
  type AggregatedWardle,
  createFlunders,
  startOurs,
  startReference,
} from './aggregated-wardle.ts';
import { type Benchmark, median } from './benchmark.ts';
import type { Load } from './http-load.ts';
import { loadHttp2 } from './http2-load.ts';
import { httpsSession } from './https-session.ts';
import { latencies, percentile } from './latency.ts';
import { cpuSeconds, residentBytes } from './process-cost.ts';
import { openWatchers } from './watchers.ts';

const OBJECTS = 10_000;
const FLUNDERS = '/apis/wardle.example.com/v1beta1/namespaces/bench/flunders';
const GET = `${FLUNDERS}/object-00007`;
const LIST = `${FLUNDERS}?resourceVersion=0`;
const LIST_1000 = `${FLUNDERS}?limit=1000`;
const CONFIG_MAP = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const ROUNDS = 5;
const WATCHERS = 1000;
const EVENTS = 60;

export const aggregator: Benchmark = {
  name: 'aggregator',
  question:
    'the latency added by the aggregator (budget ≤ 0.3 ms), its throughput against the reference (budgets ≥ 3× GET, ≥ 5× LIST), and the p99 of other servers beside a frozen one (budget ≤ 2×)',
  measure: async (scope) => {
    const ours = await startOurs(scope);
    await createFlunders(ours, OBJECTS);
    const alone = [...(await added(ours)), await fanOut(ours), await neighbours(ours)];
    const original = await startReference(scope);
    await createFlunders(original, OBJECTS);
    const theirs = (await added(original)).map((line) => `the original: ${line}`);
    return [...alone, ...theirs, ...(await againstOriginal(original, ours))];
  },
};

/** Sends one request at a time, alternating. */
async function added(one: AggregatedWardle): Promise<string[]> {
  const lines: string[] = [];
  for (const { what, path, count } of [
    { what: 'GET, 1 KB', path: GET, count: 1500 },
    { what: 'LIST, 1,000 × 1 KB', path: LIST_1000, count: 40 },
  ]) {
    for (const target of [one.direct(path), one.through(path)]) await latencies(target, count);
    const rounds: { direct: number; through: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const direct = percentile(await latencies(one.direct(path), count), 0.5);
      const through = percentile(await latencies(one.through(path), count), 0.5);
      rounds.push({ direct, through });
    }
    const more = median(rounds.map(({ direct, through }) => through - direct));
    const direct = median(rounds.map((round) => round.direct));
    lines.push(`${what}: p50 ${direct.toFixed(2)} ms direct, ${more.toFixed(2)} ms more through`);
  }
  return lines;
}

/** The same events, delivered directly and through the aggregator. */
async function fanOut(ours: AggregatedWardle): Promise<string> {
  const watch = `${FLUNDERS}?watch=1&fieldSelector=metadata.name%3Dobject-00001`;
  const figures: string[] = [];
  for (const [how, target] of [
    ['direct', ours.direct(watch)],
    ['through', ours.through(watch)],
  ] as const) {
    await using watchers = await openWatchers(target, { count: WATCHERS, http: '2' });
    await using session = await httpsSession(ours.direct(''));
    const write = async (events: number) => {
      for (let event = 0; event < events; event += 1) {
        await session.patch(`${FLUNDERS}/object-00001`, {
          metadata: { annotations: { at: String(Date.now()) } },
        });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const before = ours.pids.map(cpuSeconds);
    const seen = watchers.expect(EVENTS);
    await write(EVENTS);
    const delays = await seen;
    const spent = ours.pids.reduce((sum, pid, at) => sum + cpuSeconds(pid) - (before[at] ?? 0), 0);
    const cost = (1e6 * spent) / (EVENTS * WATCHERS);
    figures.push(
      `${how} ${cost.toFixed(1)} µs of CPU per delivery, p50 ${percentile(delays, 0.5)} ms, p99 ${percentile(delays, 0.99)} ms`,
    );
  }
  return `watch, ${WATCHERS} watchers: ${figures.join('; ')}`;
}

/** Latencies of other backends while one backend does not respond. */
async function neighbours(ours: AggregatedWardle): Promise<string> {
  const measure = async () => percentile(await latencies(ours.through(CONFIG_MAP), 3000), 0.99);
  await measure();
  const ratios: number[] = [];
  const healthy: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const before = await measure();
    process.kill(ours.wardlePid, 'SIGSTOP');
    const frozenRequests = latencies(ours.through(GET), 20).catch(() => []); // requests to the frozen backend, which time out
    try {
      ratios.push((await measure()) / before);
      healthy.push(before);
    } finally {
      process.kill(ours.wardlePid, 'SIGCONT');
      await frozenRequests;
    }
    await recovered(ours);
  }
  return `GET of a ConfigMap while wardle is frozen: p99 ${median(ratios).toFixed(2)}× of ${median(healthy).toFixed(2)} ms`;
}

async function recovered(ours: AggregatedWardle): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    const isBack = await latencies(ours.through(GET), 1).then(
      () => true,
      () => false,
    );
    if (isBack) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('wardle did not come back');
}

async function againstOriginal(
  original: AggregatedWardle,
  ours: AggregatedWardle,
): Promise<string[]> {
  const lines: string[] = [];
  const list = `LIST, ${OBJECTS.toLocaleString('en')} × 1 KB`;
  for (const { what, path, connections, gzip } of [
    { what: 'GET through', path: GET, connections: 3, gzip: false },
    { what: `${list}, through`, path: LIST, connections: 1, gzip: false },
    { what: `${list}, gzip, through`, path: LIST, connections: 1, gzip: true },
  ]) {
    const load = { connections, forMs: 3000, gzip };
    const residentBefore = residentBytes(ours.frontPid);
    for (const one of [ours, original]) await loadHttp2(one.through(path), load);
    const ratios: { wall: number; cpu: number; rate: number }[] = [];
    for (let round = 0; round < 3; round += 1) {
      const theirs = await perSecond(original, path, load);
      const mine = await perSecond(ours, path, load);
      ratios.push({
        wall: mine.wall / theirs.wall,
        cpu: mine.cpu / theirs.cpu,
        rate: mine.wall,
      });
    }
    const figure = (key: 'wall' | 'cpu' | 'rate') => median(ratios.map((ratio) => ratio[key]));
    const grown = (residentBytes(ours.frontPid) - residentBefore) / 2 ** 20;
    lines.push(
      `${what}: ${figure('rate').toFixed(0)}/s, ${figure('wall').toFixed(1)}× the original per second, ${figure('cpu').toFixed(1)}× per CPU-second; the front grew by ${grown.toFixed(0)} MiB`,
    );
  }
  return lines;
}

async function perSecond(
  one: AggregatedWardle,
  path: string,
  load: Load,
): Promise<{ wall: number; cpu: number }> {
  const before = one.pids.map(cpuSeconds);
  const { requests, seconds } = await loadHttp2(one.through(path), load);
  const spent = one.pids.reduce((sum, pid, at) => sum + cpuSeconds(pid) - (before[at] ?? 0), 0);
  return { wall: requests / seconds, cpu: requests / spent };
}
