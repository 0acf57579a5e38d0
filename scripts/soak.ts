/**
 * `npm run soak`: runs a control plane with real controllers and informers for half an hour and kills it every
 * minute.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { soak } from '../interop/soak/run.ts';
import { describeViolations } from '../test/faults/checker.ts';
import { createScope } from '../test/harness/index.ts';

const HELP = `Usage: npm run soak -- [options]

Needs the real programs ("npm run peers"). Prints its progress every ten seconds, and at the end the
number of operations, the resources that the servers held before each kill, and the violations found.
The exit code is 1 when there are violations.

  --minutes N   how long clients write; the final checks take a few more (default: 30)
  --seed N      repeats the random choices of an earlier run, though not its races
  --help        this text
`;
const MINUTES = '30';
const SEED_MAX = 2 ** 32;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: MINUTES },
      seed: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error(`--minutes ${values.minutes}: not a positive number`);
  const seed = values.seed === undefined ? randomInt(SEED_MAX) : Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0 || seed >= SEED_MAX) {
    throw new Error(`--seed ${values.seed}: not a whole number below ${SEED_MAX}`);
  }
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  print(`seed ${seed}`);
  await using scope = createScope('soak');
  const { violations, summary } = await soak(scope, {
    seed,
    controllers: 'original',
    plan: { seconds: minutes * 60, killEverySeconds: 60, wardleEvery: 3 },
    onProgress: print,
  });
  for (const line of summary) print(line);
  print(violations.length === 0 ? 'nothing is wrong' : `\n${describeViolations(violations)}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  process.exitCode = 2;
}
