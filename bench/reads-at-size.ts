import { startBenchServer } from './bench-process.ts';
import { type Benchmark, median } from './benchmark.ts';
import { loadHttp1 } from './http-load.ts';
import { cpuSeconds, residentBytes } from './process-cost.ts';

const SIZES = [1_000, 1_000_000];
const ROUNDS = 3;
const LOAD = { connections: 32, forMs: 3000 };
const PATH = '/apis/wardle.example.com/v1alpha1/namespaces/bench/flunders/object-7';

export const readsAtSize: Benchmark = {
  name: 'reads-at-size',
  question:
    'does a GET cost the same at 1,000 and at 1,000,000 objects? (CPU of the server per GET)',
  measure: async (scope) => {
    const servers: { size: number; bytes: number; costs: number[]; measure(): Promise<number> }[] =
      [];
    for (const size of SIZES) {
      const server = await startBenchServer(scope, 'memory');
      const empty = residentBytes(server.pid);
      await server.command(`preload ${size}`);
      // Until the cache is full, the store serves GETs.
      await loadHttp1(server.target(PATH), { ...LOAD, forMs: 2000 + size / 50 });
      const measure = async () => {
        const before = cpuSeconds(server.pid);
        const { requests } = await loadHttp1(server.target(PATH), LOAD);
        return (1e6 * (cpuSeconds(server.pid) - before)) / requests;
      };
      servers.push({ size, bytes: residentBytes(server.pid) - empty, costs: [], measure });
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const one of servers) one.costs.push(await one.measure());
    }
    return servers.map(
      ({ size, costs, bytes }) =>
        `${size} objects: ${median(costs).toFixed(0)} µs of CPU per GET (${costs.map((cost) => cost.toFixed(0)).join(' / ')}), ${(bytes / 2 ** 20).toFixed(0)} MiB with the store`,
    );
  },
};
