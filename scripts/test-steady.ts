/** `npm run test:steady`: repeats a tier under changing conditions and lists the tests whose result changed. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheDir } from '../interop/peers/cache.ts';
import {
  busyLoops,
  type Conditions,
  conditionsOf,
  environmentOf,
  findOrInstallClockLibrary,
  limitedCpu,
} from './test-conditions.ts';
import { parseResultLines, type ResultLine, treeKey } from './test-results.ts';

const HELP = `Usage: npm run test:steady -- [FILTER…] [options]

Repeats a tier in random order and changing time zones and locales, every third run with the clock of our processes
400 days ahead, every second run beside busy loops. Lists every test that failed, or whose result changed. The record is
outside the clone; an interrupted run resumes.

  --runs N    how many runs (default: 20)
  --load N    busy loops beside every second run (default: 4)
  --tier T    test: "npm test" (the default); interop: "npm run test:interop"; ci: ".ci/run"
  --cpus N    limit the run to a part of the machine's cores, such as 0.5; needs control groups
  --restart   discard earlier runs of this tree
  --help      this text
`;

const TIERS: Readonly<Record<string, string>> = {
  test: 'npm run -s test --',
  interop: 'npm run -s test:interop --',
  ci: 'bash .ci/run',
};

interface RecordedRun {
  conditions: Conditions;
  seconds: number;
  code: number;
  lines: ResultLine[];
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      runs: { type: 'string', default: '20' },
      load: { type: 'string', default: '4' },
      tier: { type: 'string', default: 'test' },
      cpus: { type: 'string' },
      restart: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const tier = TIERS[values.tier];
  if (tier === undefined)
    throw new Error(`--tier ${values.tier}: ${Object.keys(TIERS).join(', ')}`);
  const runs = wholeNumber('--runs', values.runs);
  const load = wholeNumber('--load', values.load);
  const root = join(import.meta.dirname, '..');
  const movesClock = (await findOrInstallClockLibrary()) !== undefined;
  if (!movesClock) {
    process.stdout.write('SKIPPED a clock 400 days ahead: install libfaketime (Debian) for it\n');
  }
  const command = [tier, ...positionals].join(' ');
  const folder = join(cacheDir(), 'test-steady', keyOf(root, [command, values.cpus ?? '']));
  if (values.restart) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const recorded: RecordedRun[] = [];
  for (let run = 1; run <= runs; run += 1) {
    const planned = conditionsOf(run, load);
    const conditions: Conditions = movesClock ? planned : { ...planned, clock: 'true' };
    const file = join(folder, `run-${run}.json`);
    const known = existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as RecordedRun)
      : undefined;
    const result =
      known ?? (await execute({ root, command, conditions, cpus: values.cpus, folder }));
    if (known === undefined) writeFileSync(file, JSON.stringify(result));
    recorded.push(result);
    process.stdout.write(`${runLine(result, runs)}${known === undefined ? '' : ' (recorded)'}\n`);
  }
  const objections = compareRuns(recorded);
  for (const line of objections) process.stdout.write(`${line}\n`);
  process.stdout.write(
    `${recorded.length} runs of ${command}: ${objections.length === 0 ? 'the same every time, nothing failed' : `${objections.length} objections`}\n`,
  );
  process.exitCode = objections.length === 0 ? 0 : 1;
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0)
    throw new Error(`${name} ${text}: not a whole number`);
  return number;
}

function keyOf(root: string, settings: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 8);
  return `${treeKey(root)}-${digest}`;
}

interface Execution {
  root: string;
  command: string;
  conditions: Conditions;
  cpus: string | undefined;
  folder: string;
}

async function execute({
  root,
  command,
  conditions,
  cpus,
  folder,
}: Execution): Promise<RecordedRun> {
  const results = join(folder, `run-${conditions.run}.jsonl`);
  rmSync(results, { force: true });
  const limit = cpus === undefined ? undefined : limitedCpu(Number(cpus));
  if (cpus !== undefined && limit === undefined) {
    throw new Error(
      '--cpus: this machine does not permit control groups; try: taskset -c 0 with --load',
    );
  }
  using _loops = busyLoops(conditions.load);
  const started = performance.now();
  const script = `${limit === undefined ? '' : `${limit.enter} && `}exec ${command}`;
  const output = join(folder, `run-${conditions.run}.log`);
  const child = spawn('bash', ['-c', `{ ${script}; } > ${JSON.stringify(output)} 2>&1`], {
    cwd: root,
    env: { ...process.env, CI: 'true', ...environmentOf(conditions, results) },
    stdio: 'ignore',
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  limit?.close();
  const lines = existsSync(results) ? parseResultLines(readFileSync(results, 'utf8')) : [];
  return { conditions, seconds: Math.round((performance.now() - started) / 1000), code, lines };
}

function runLine({ conditions, seconds, code, lines }: RecordedRun, runs: number): string {
  const { run, load, clock, timeZone, locale } = conditions;
  const failed = lines.filter(({ outcome }) => outcome === 'failed').length;
  return `run ${run} of ${runs}: ${seconds} s, exit code ${code}, ${lines.length} results, ${failed} failed; load ${load}, clock ${clock}, ${timeZone}, ${locale}`;
}

/**
 * Tests that failed, were missing, or had different results in some run; and runs that failed without such a test.
 */
export function compareRuns(runs: readonly RecordedRun[]): string[] {
  const outcomes = new Map<string, Map<number, ResultLine>>();
  for (const { conditions, lines } of runs) {
    for (const line of lines) {
      const name = line.test === '' ? line.file : `${line.file}: ${line.test}`;
      const byRun = outcomes.get(name) ?? new Map<number, ResultLine>();
      byRun.set(conditions.run, line);
      outcomes.set(name, byRun);
    }
  }
  const objections: string[] = [];
  for (const { conditions, code, lines } of runs) {
    if (lines.length === 0) objections.push(`run ${conditions.run} has no results`);
    else if (code !== 0 && lines.every(({ outcome }) => outcome !== 'failed')) {
      objections.push(`run ${conditions.run} ended with code ${code}, and no test of it failed`);
    }
  }
  for (const [name, byRun] of outcomes) {
    const kinds = runs.map(({ conditions }) => byRun.get(conditions.run)?.outcome ?? 'missing');
    if (new Set(kinds).size === 1 && kinds[0] !== 'failed') continue;
    const bad = runs
      .filter((_, index) => kinds[index] !== 'passed')
      .map(({ conditions: { run } }) => run);
    const error = [...byRun.values()].find(({ error }) => error !== undefined)?.error ?? '';
    objections.push(
      `${name}: ${[...new Set(kinds)].join(', ')}; not passed in run ${bad.join(', ')}\n    ${error.split('\n', 3).join('\n    ')}`,
    );
  }
  return objections;
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
