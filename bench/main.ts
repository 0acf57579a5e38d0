/** `npm run bench [NAME…]`: each benchmark answers one question and prints ratios measured in one run. */
import { createScope } from '../test/harness/index.ts';
import { aggregator } from './aggregator.ts';
import type { Benchmark } from './benchmark.ts';
import { customResources } from './custom-resources.ts';
import { durableCreates } from './durable-creates.ts';
import { fanOut } from './fan-out.ts';
import { namespaceDeletion } from './namespace-deletion.ts';
import { readsAndWrites } from './reads-and-writes.ts';
import { readsAtSize } from './reads-at-size.ts';
import { scriptBenchmark } from './script.ts';
import { serving } from './serving.ts';
import { startup } from './startup.ts';

const benchmarks: readonly Benchmark[] = [
  serving,
  startup,
  durableCreates,
  readsAndWrites,
  readsAtSize,
  fanOut,
  aggregator,
  namespaceDeletion,
  customResources,
  scriptBenchmark(
    'field-ownership',
    'an update of an object with 10 and 100 managers, against one without ownership tracking (budgets ≤ 1.5× and ≤ 4×)',
  ),
  scriptBenchmark('storage-sqlite-commit', 'the gain of group commit over single writes'),
  scriptBenchmark('watch-cache-memory', 'resident memory per cached 1 KB object (budget ≤ 2.5 KB)'),
  scriptBenchmark(
    'watch-cache-speed',
    'the cost of reads, changes and deliveries in the watch cache',
  ),
];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !benchmarks.some((one) => one.name === name));
if (names.includes('--help')) {
  process.stdout.write('Usage: npm run bench -- [NAME…]\n\n');
  for (const { name, question } of benchmarks) {
    process.stdout.write(`  ${name.padEnd(16)}${question}\n`);
  }
} else if (unknown.length > 0) {
  process.stderr.write(`no benchmark is called ${unknown.join(', ')}; see --help\n`);
  process.exitCode = 1;
} else {
  for (const one of benchmarks) if (names.length === 0 || names.includes(one.name)) await run(one);
}

async function run({ name, question, measure }: Benchmark): Promise<void> {
  process.stdout.write(`\n${name}: ${question}\n`);
  await using scope = createScope(name);
  for (const line of await measure(scope)) process.stdout.write(`  ${line}\n`);
}
