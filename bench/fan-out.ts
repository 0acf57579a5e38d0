import { type BenchServer, startBenchServer } from './bench-process.ts';
import type { Benchmark } from './benchmark.ts';
import { percentile } from './latency.ts';
import { cpuSeconds } from './process-cost.ts';
import { openWatchers, type Watchers } from './watchers.ts';

const WATCHERS = 1000;
const EVENTS = 100;
const PATH =
  '/apis/wardle.example.com/v1alpha1/namespaces/bench/flunders?watch=1&resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan';

export const fanOut: Benchmark = {
  name: 'fan-out',
  question: `the server's cost of one change for each of ${WATCHERS} watchers, over HTTP/2 and HTTP/1.1`,
  measure: async (scope) => {
    const lines: string[] = [];
    for (const http of ['2', '1.1'] as const) {
      const server = await startBenchServer(scope, 'memory');
      await server.command('preload 10');
      await using watchers = await openWatchers(server.target(PATH), { count: WATCHERS, http });
      await deliver(server, watchers, 20); // warm up
      const before = cpuSeconds(server.pid);
      const delays = await deliver(server, watchers, EVENTS);
      const cost = (1e6 * (cpuSeconds(server.pid) - before)) / (EVENTS * WATCHERS);
      lines.push(
        `HTTP/${http}: ${cost.toFixed(1)} µs of CPU per delivery, delay p50 ${percentile(delays, 0.5)} ms, p99 ${percentile(delays, 0.99)} ms`,
      );
    }
    return lines;
  },
};

async function deliver(server: BenchServer, watchers: Watchers, events: number): Promise<number[]> {
  const seen = watchers.expect(events);
  await server.command(`write ${events}`);
  return seen;
}
