import { startBenchServer } from './bench-process.ts';
import { type Benchmark, median } from './benchmark.ts';
import { loadHttp1 } from './http-load.ts';

const WRITERS = 32;
const ROUNDS = 3;
const LOAD = { connections: 32, forMs: 3000 };
const PATH = '/apis/wardle.example.com/v1alpha1/namespaces/bench/flunders/object-7';

export const readsAndWrites: Benchmark = {
  name: 'reads-and-writes',
  question: `GETs per second over HTTPS on SQLite, alone and beside ${WRITERS} writers in the server (budget ≥ 80 %)`,
  measure: async (scope) => {
    const server = await startBenchServer(scope, 'sqlite');
    await server.command('preload 1000');
    await loadHttp1(server.target(PATH), { ...LOAD, forMs: 1000 });
    const rounds: { alone: number; beside: number; writes: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const alone = await loadHttp1(server.target(PATH), LOAD);
      const before = countOf(await server.command(`writers ${WRITERS}`));
      const beside = await loadHttp1(server.target(PATH), LOAD);
      const after = countOf(await server.command('rest'));
      rounds.push({
        alone: alone.requests / alone.seconds,
        beside: beside.requests / beside.seconds,
        writes: (after - before) / beside.seconds,
      });
    }
    const share = median(rounds.map(({ alone, beside }) => beside / alone));
    const figures = rounds.map(
      ({ alone, beside, writes }) =>
        `${alone.toFixed(0)} → ${beside.toFixed(0)} with ${writes.toFixed(0)} writes/s`,
    );
    return [`${(100 * share).toFixed(0)} % of the GETs (${figures.join('; ')})`];
  },
};

function countOf(response: string): number {
  return Number(response.split(' ').at(-1));
}
