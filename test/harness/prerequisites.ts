/** Programs that some tests need: found, installed where possible, or the test is skipped and says why. */
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

/** A test that can be skipped from within. */
export interface SkippableScope extends TestScope {
  skip(message?: string): void;
}

/** How the reason of every skip for want of Go begins: the one skip that CI tolerates. */
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
  /** Makes it available; absent where we cannot. */
  install?(): Promise<void>;
  /** What a person types, after "install it with". */
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
  // Debian's own kubectl is a release from 2021 and would hide a newer one that comes later on the path.
  kubectl: {
    find: () => findProgram('kubectl'),
    advice: 'https://kubernetes.io/docs/tasks/tools/',
  },
  // Unpacked and never installed: its files collide with those of a newer kubectl.
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
 * The path of a program, or undefined after skipping the test:
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

/** Without a test at hand: the path of a program, installed when it was missing and can be had. */
export async function findOrInstall(name: PrerequisiteName): Promise<string | undefined> {
  const { find, install } = prerequisites[name];
  const found = find();
  if (found !== undefined || install === undefined || !canUseApt()) return found;
  return withMachineLock({ folder: cacheDir(), name: 'install' }, async () => {
    // Another process may have installed it, or failed to, while this one waited for the lock.
    if (find() === undefined && !(await triedLately(name))) await attempt(name, install);
    return find();
  });
}

export function missingMessage(name: PrerequisiteName): string {
  const { advice } = prerequisites[name];
  const what = name === 'go' ? MISSING_GO : `${name} is missing`;
  return `${what}; install it with: ${advice}`;
}

/** Skips the test with a reason, which in CI is a failure: a suite that did not run proved nothing. */
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

/** After a failure the next test files of the same run do not try again. */
async function triedLately(name: PrerequisiteName): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(attemptFile(name));
    return Date.now() - mtimeMs < RETRY_AFTER_MS;
  } catch {
    return false; // Never failed here.
  }
}

function attemptFile(name: PrerequisiteName): string {
  return join(cacheDir(), `install-${name}.failed`);
}
