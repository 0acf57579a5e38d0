/** Debian packages for tests: installed, or only unpacked when an installation would collide. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findProgram } from './programs.ts';

/** Whether packages can be installed: on Debian, as root. */
export function canUseApt(): boolean {
  return process.getuid?.() === 0 && findProgram('apt-get') !== undefined;
}

/** A machine without a network fails in seconds instead of minutes. */
const SHORT_TIMEOUTS = [
  '-o',
  'Acquire::Retries=1',
  '-o',
  'Acquire::http::Timeout=20',
  '-o',
  'DPkg::Lock::Timeout=300',
];

export async function installPackages(names: readonly string[]): Promise<void> {
  await run('apt-get', [...SHORT_TIMEOUTS, 'update', '-qq']);
  await run('apt-get', [
    ...SHORT_TIMEOUTS,
    'install',
    '-y',
    '-qq',
    '--no-install-recommends',
    ...names,
  ]);
}

/** Unpacks a package into a folder, atomically. */
export async function unpackPackage(name: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const work = await mkdtemp(join(dirname(folder), '.unpacking-'));
  try {
    await run('apt-get', [...SHORT_TIMEOUTS, 'update', '-qq']);
    // apt drops its privileges for a download into a folder that its own user may write, and warns otherwise.
    await run(
      'apt-get',
      [...SHORT_TIMEOUTS, '-o', 'APT::Sandbox::User=root', 'download', name],
      work,
    );
    const archive = (await readdir(work)).find((file) => file.endsWith('.deb'));
    if (archive === undefined) throw new Error(`apt-get download ${name} left no archive`);
    const root = join(work, 'root');
    await run('dpkg-deb', ['-x', join(work, archive), root]);
    await rename(root, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const OUTPUT_MAX = 4_000;

async function run(command: string, args: readonly string[], cwd?: string): Promise<void> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
    // RUNLEVEL=1 keeps a package from starting its daemon, because tests start their own.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-OUTPUT_MAX);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
}
