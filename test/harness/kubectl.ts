/** kubectl releases from 2020 to now, because users have all of them. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peerPath } from '../../interop/peers/peers.ts';
import { findOrInstall } from './prerequisites.ts';
import { type StartedProcess, startProcess } from './process.ts';
import type { TestScope } from './scope.ts';
import { temporaryDirectory } from './temporary.ts';

export interface KubectlRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface KubectlOptions {
  /** Path of the kubeconfig; without one kubectl has no cluster. */
  kubeconfig?: string;
  /** Standard input, for `-f -`. */
  input?: string;
  env?: Readonly<Record<string, string>>;
  /** The home directory, which contains the discovery cache; a new one for each run when absent. */
  home?: string;
  timeoutMs?: number;
}

export interface Kubectl {
  /** Such as `1.20.2`. */
  version: string;
  path: string;
  /** The source of the binary, for the names of tests. */
  source: 'path' | 'debian' | 'middle' | 'current';
  run(args: readonly string[], options?: KubectlOptions): Promise<KubectlRun>;
  /** Starts a kubectl that runs until it is stopped, such as a watch; the end of the test stops it. */
  start(
    t: TestScope,
    args: readonly string[],
    options?: Pick<KubectlOptions, 'kubeconfig' | 'env' | 'home'>,
  ): Promise<StartedProcess>;
}

const TIMEOUT_MS = 60_000;

/** Every kubectl that this machine has or can install without a compiler, oldest first, each release once. */
export async function kubectlVersions(): Promise<Kubectl[]> {
  const candidates: readonly [Kubectl['source'], string | undefined][] = [
    ['debian', await findOrInstall('kubectl-1.20')],
    ['middle', peerPath('kubectl-middle')],
    ['path', await findOrInstall('kubectl')],
    ['current', peerPath('kubectl')],
  ];
  const found: Kubectl[] = [];
  for (const [source, path] of candidates) {
    const kubectl = path === undefined ? undefined : await openKubectl(source, path);
    if (kubectl && found.every(({ version }) => version !== kubectl.version)) found.push(kubectl);
  }
  return found.sort((a, b) => compareVersions(a.version, b.version));
}

/** At most one release, for an ordinary run. The others are in interop/live/kubectl-others.test.ts. */
export async function newestRelease(): Promise<Kubectl[]> {
  return (await kubectlVersions()).slice(-1);
}

/** The newest kubectl of the machine, for tests that accept any release. */
export async function anyKubectl(): Promise<Kubectl | undefined> {
  return (await newestRelease())[0];
}

async function openKubectl(source: Kubectl['source'], path: string): Promise<Kubectl | undefined> {
  const run: Kubectl['run'] = (args, options) => runKubectl(path, { args, ...options });
  const { code, stdout } = await run(['version', '--client', '-o', 'json']);
  const version = code === 0 ? parseVersion(stdout) : undefined;
  if (version === undefined) return undefined;
  const start: Kubectl['start'] = async (t, args, options = {}) => {
    const home = options.home ?? (await temporaryDirectory(t, 'kubectl-'));
    const env = environment(home, options);
    return startProcess(t, { name: `kubectl ${args.join(' ')}`, command: path, args, env });
  };
  return { version, path, source, run, start };
}

/** Parses `kubectl version --client -o json`; distributors extend the release, as in `v1.32.4-dispatcher`. */
export function parseVersion(json: string): string | undefined {
  return /"gitVersion":\s*"v(\d+\.\d+\.\d+)/.exec(json)?.[1];
}

export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * A new home for each run by default: kubectl caches discovery there, and a cached document would hide later
 * changes.
 */
async function runKubectl(
  path: string,
  options: KubectlOptions & { args: readonly string[] },
): Promise<KubectlRun> {
  if (options.home !== undefined) return execute(path, { ...options, home: options.home });
  const home = await mkdtemp(join(tmpdir(), 'kubectl-'));
  try {
    return await execute(path, { ...options, home });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Garbage collection takes a fifth of the time of a short run. */
const SHORT_RUN = { GOGC: 'off' };

async function execute(
  path: string,
  options: KubectlOptions & { args: readonly string[]; home: string },
): Promise<KubectlRun> {
  const { args, home, input = '', timeoutMs = TIMEOUT_MS } = options;
  const child = spawn(path, args, {
    cwd: home,
    env: { ...SHORT_RUN, ...environment(home, options) },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output.stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output.stderr += chunk;
  });
  child.stdin.on('error', () => undefined); // kubectl may exit without reading its input.
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve(code));
  });
  return { code, ...output };
}

/** Temporary files of `edit` and `diff` go into the home too, and are removed with it. */
function environment(home: string, { kubeconfig = '/dev/null', env }: KubectlOptions) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: home,
    KUBECACHEDIR: join(home, 'cache'),
    KUBECONFIG: kubeconfig,
    ...env,
  };
}
