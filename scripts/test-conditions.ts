/** Conditions under which a run must give the same results: order, clock, time zone, locale, and a busy machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canUseApt, installPackages } from '../test/harness/debian.ts';
import { importsOf } from '../test/tidy/source.ts';

export interface Conditions {
  run: number;
  /** Number of busy loops beside the run. */
  load: number;
  shuffle: number;
  clock: 'true' | 'ahead';
  timeZone: string;
  locale: string;
}

const TIME_ZONES = ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati'];
const LOCALES = ['C.UTF-8', 'tr_TR.UTF-8', 'de_DE.UTF-8'];

/** Deterministic per run number, so that a run can be repeated. Every second run has the load. */
export function conditionsOf(run: number, load: number): Conditions {
  return {
    run,
    load: run % 2 === 1 ? load : 0,
    shuffle: run,
    clock: run % 3 === 2 ? 'ahead' : 'true',
    timeZone: TIME_ZONES[run % TIME_ZONES.length] ?? 'UTC',
    locale: LOCALES[run % LOCALES.length] ?? 'C.UTF-8',
  };
}

export const SHUFFLE_VARIABLE = 'TRIBUTARY_TEST_SHUFFLE';
export const RESULTS_VARIABLE = 'TRIBUTARY_TEST_RESULTS';
export const CLOCK_VARIABLE = 'TRIBUTARY_TEST_CLOCK';

export function environmentOf(conditions: Conditions, results: string): Record<string, string> {
  return {
    TZ: conditions.timeZone,
    LC_ALL: conditions.locale,
    LANG: conditions.locale,
    [SHUFFLE_VARIABLE]: String(conditions.shuffle),
    [RESULTS_VARIABLE]: results,
    ...(conditions.clock === 'ahead' ? { [CLOCK_VARIABLE]: AHEAD } : {}),
  };
}

const AHEAD = '+400d';
const LIBRARY = '/usr/lib/*/faketime/libfaketimeMT.so.1';

/** libfaketime, which shifts the clock of programs that use the C library; undefined when it is not installed. */
export function clockLibrary(): string | undefined {
  return globSync(LIBRARY)[0];
}

/** Installs it with apt when root. */
export async function findOrInstallClockLibrary(): Promise<string | undefined> {
  if (clockLibrary() === undefined && canUseApt()) await installPackages(['libfaketime']);
  return clockLibrary();
}

/**
 * Shifts the wall clock of a process and its children. The monotonic clock is unchanged, so timeouts keep their
 * length.
 */
export function clockEnvironment(
  offset: string | undefined = process.env[CLOCK_VARIABLE],
): Record<string, string> {
  if (offset === undefined || offset === '') return {};
  const library = clockLibrary();
  if (library === undefined) {
    throw new Error(`no ${LIBRARY}; install it with: apt-get install libfaketime`);
  }
  return {
    LD_PRELOAD: library,
    FAKETIME: offset,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  };
}

/** Starts programs written in Go, which libfaketime does not reach: certificates would not yet be valid for them. */
const REAL_PROGRAM =
  /\b(?:anyKubectl|kubectlVersions|newestRelease|requireProgram|findOrInstall|requirePeer|peerPath)\b/;

/** Whether a test file uses programs written in Go, directly or through its imports. */
export function usesRealPrograms(root: string, file: string): boolean {
  const seen = new Set<string>();
  const queue = [join(root, file)];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path) || !existsSync(path)) continue;
    seen.add(path);
    const source = readFileSync(path, 'utf8');
    if (REAL_PROGRAM.test(source)) return true;
    for (const specifier of importsOf(source)) {
      // The harness can start every program; only files that name one use it.
      if (!specifier.startsWith('.') || specifier.includes('/harness/')) continue;
      queue.push(join(dirname(path), specifier));
    }
  }
  return false;
}

const SLICE_MS = 200;
/** Ends with its parent, even when the parent is killed. */
const BUSY_LOOP = `const parent = Number(process.argv[1]);
const slice = () => {
  const end = performance.now() + ${SLICE_MS};
  while (performance.now() < end);
  if (process.ppid === parent) setImmediate(slice);
};
slice();`;

/** Starts processes that only compute, until disposed. */
export function busyLoops(count: number): Disposable & { pids: number[] } {
  const loops: ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', BUSY_LOOP, String(process.pid)], { stdio: 'ignore' }),
  );
  return {
    pids: loops.flatMap(({ pid }) => pid ?? []),
    [Symbol.dispose]: () => loops.forEach((loop) => void loop.kill('SIGKILL')),
  };
}

const PERIOD_US = 100_000;

/**
 * A control group with a part of a core: the shell code that enters it, or undefined when this machine does not
 * permit one.
 */
export function limitedCpu(cores: number): { enter: string; close(): void } | undefined {
  const name = `tributary-test-${process.pid}`;
  const quota = String(Math.round(cores * PERIOD_US));
  const versions = [
    {
      folder: `/sys/fs/cgroup/cpu/${name}`,
      limits: { 'cpu.cfs_period_us': String(PERIOD_US), 'cpu.cfs_quota_us': quota },
    },
    { folder: `/sys/fs/cgroup/${name}`, limits: { 'cpu.max': `${quota} ${PERIOD_US}` } },
  ];
  for (const { folder, limits } of versions) {
    if (!existsSync(dirname(folder))) continue;
    try {
      mkdirSync(folder);
      for (const [file, value] of Object.entries(limits)) writeFileSync(join(folder, file), value);
      return { enter: `echo $$ > ${folder}/cgroup.procs`, close: () => rmdirSync(folder) };
    } catch {
      // Another cgroup version, or no permission; the caller reports it.
    }
  }
  return undefined;
}
