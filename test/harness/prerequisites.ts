/** Programs that some tests need: found or installed, or the test is skipped with the reason. */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir } from '../../interop/peers/cache.ts';
import { findGo, isAtLeast } from '../../interop/peers/go.ts';
import { goVersionMin } from '../../interop/peers/peers.ts';
import { canUseApt, installPackages, unpackPackage } from './debian.ts';
import { withMachineLock } from './lock.ts';
import { findPostgresql, findProgram } from './programs.ts';
import { progress } from './progress.ts';
import type { TestScope } from './scope.ts';

/** A test that can be skipped while it runs. */
export interface SkippableScope extends TestScope {
  skip(message?: string): void;
}

/** The beginning of the reason of every skip because of a missing Go: the only skip that CI tolerates. */
export const MISSING_GO = 'Go is missing';

export type PrerequisiteName =
  | 'chromium'
  | 'etcd'
  | 'go'
  | 'h2load'
  | 'kubectl'
  | 'kubectl-1.20'
  | 'openssl'
  | 'postgresql'
  | 'wrk';

interface Prerequisite {
  find(): string | undefined;
  /** Installs the program; absent where tests cannot install it. */
  install?(): Promise<void>;
  /** The command that follows "install it with". */
  advice: string;
}

const OLD_KUBECTL_FOLDER = join(cacheDir(), 'debian', 'kubernetes-client');

const prerequisites: Readonly<Record<PrerequisiteName, Prerequisite>> = {
  chromium: debianProgram('chromium', 'chromium'),
  etcd: debianProgram('etcd', 'etcd-server'),
  h2load: debianProgram('h2load', 'nghttp2-client'),
  openssl: debianProgram('openssl', 'openssl'),
  wrk: debianProgram('wrk', 'wrk'),
  postgresql: { ...debianProgram('postgres', 'postgresql'), find: findPostgresql },
  // Debian's kubectl is a release from 2021 and would hide a newer one later on the path.
  kubectl: {
    find: () => findProgram('kubectl'),
    advice: 'https://kubernetes.io/docs/tasks/tools/',
  },
  // Unpacked and never installed, because its files collide with those of a newer kubectl.
  'kubectl-1.20': {
    find: () => findProgram('kubectl', join(OLD_KUBECTL_FOLDER, 'usr', 'bin')),
    install: () => unpackPackage('kubernetes-client', OLD_KUBECTL_FOLDER),
    advice: `apt-get download kubernetes-client && dpkg-deb -x kubernetes-client_*.deb ${OLD_KUBECTL_FOLDER}`,
  },
  go: {
    find: () => {
      const go = findGo();
      return go !== undefined && isAtLeast(go.version, goVersionMin) ? go.path : undefined;
    },
    advice: `https://go.dev/dl (${goVersionMin} or newer)`,
  },
};

/**
 * The path of a program; undefined when the test is skipped:
 *
 * `const etcd = await requireProgram(t, 'etcd'); if (etcd === undefined) return;`
 */
export async function requireProgram(
  t: SkippableScope,
  name: PrerequisiteName,
): Promise<string | undefined> {
  const found = await findOrInstall(name);
  if (found === undefined) skipOrFail(t, missingMessage(name));
  return found;
}

/** The path of a program, installed when it was missing; for callers without a test. */
export async function findOrInstall(name: PrerequisiteName): Promise<string | undefined> {
  const { find, install } = prerequisites[name];
  const found = find();
  if (found !== undefined || install === undefined || !canUseApt()) return found;
  return withMachineLock({ folder: cacheDir(), name: 'install' }, async () => {
    // Another process may have installed it, or failed to, while this one waited for the lock.
    if (find() === undefined && !(await failedRecently(name))) await attempt(name, install);
    return find();
  });
}

export function missingMessage(name: PrerequisiteName): string {
  const { advice } = prerequisites[name];
  const what = name === 'go' ? MISSING_GO : `${name} is missing`;
  return `${what}; install it with: ${advice}`;
}

/** Skips the test with a reason. In CI that is a failure, because a suite that did not run proves nothing. */
export function skipOrFail(
  t: SkippableScope,
  why: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): void {
  if (env.CI === 'true' && !why.startsWith(MISSING_GO)) {
    throw new Error(`in CI nothing may be skipped: ${why}`);
  }
  t.skip(why);
}

function debianProgram(
  program: string,
  packageName: string,
): Prerequisite & {
  install(): Promise<void>;
} {
  return {
    find: () => findProgram(program),
    install: () => installPackages([packageName]),
    advice: `apt-get install ${packageName}`,
  };
}

async function attempt(name: PrerequisiteName, install: () => Promise<void>): Promise<void> {
  progress(`installing ${name} for the tests …`);
  try {
    await install();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await mkdir(cacheDir(), { recursive: true });
    await writeFile(attemptFile(name), `${reason}\n`);
    progress(`${name} could not be installed; the reason is in ${attemptFile(name)}`);
  }
}

const RETRY_AFTER_MS = 10 * 60_000;

/** After a failure, later test files of the same run do not retry. */
async function failedRecently(name: PrerequisiteName): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(attemptFile(name));
    return Date.now() - mtimeMs < RETRY_AFTER_MS;
  } catch {
    return false; // It never failed on this machine.
  }
}

function attemptFile(name: PrerequisiteName): string {
  return join(cacheDir(), `install-${name}.failed`);
}
