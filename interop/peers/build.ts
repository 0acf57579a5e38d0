import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { cacheDir } from './cache.ts';
import { findGo, type Go, isAtLeast } from './go.ts';
import {
  buildArguments,
  buildEnvironment,
  fetchArguments,
  goVersionMin,
  moduleDir,
  type PeerName,
  peer,
  peerDir,
  peers,
  peerVersion,
} from './peers.ts';

export interface BuildOptions {
  /** Receives one line of progress at a time, at least every 15 seconds. */
  log: (line: string) => void;
  signal?: AbortSignal;
}

/** There is no Go, or an older one than the peers need: nothing was tried. */
export class GoMissing extends Error {
  override name = 'GoMissing';
}

interface BuildTime {
  name: PeerName;
  version: string;
  go: string;
  platform: string;
  cpus: number;
  finished: string;
  downloadSeconds: number;
  compileSeconds: number;
}

const HEARTBEAT_MS = 10_000;
const ERROR_LINES_MAX = 40;

/** Builds what is missing of these peers, one after the other. Gives the program of each. */
export async function buildPeers(
  names: readonly PeerName[],
  options: BuildOptions,
): Promise<Map<PeerName, string>> {
  const go = requireGo();
  const programs = new Map<PeerName, string>();
  for (const { name } of peers.filter((candidate) => names.includes(candidate.name))) {
    const folder = peerDir(name, go);
    const program = join(folder, name);
    const label = `${name} ${peerVersion(name)}`;
    if (existsSync(program)) options.log(`${label}: already built`);
    else await buildPeer({ name, label, folder, go }, options);
    programs.set(name, program);
  }
  return programs;
}

export function requireGo(go: Go | undefined = findGo()): Go {
  if (go === undefined) {
    throw new GoMissing(`Go ${goVersionMin} or newer is needed and there is no go on the path`);
  }
  if (!isAtLeast(go.version, goVersionMin)) {
    throw new GoMissing(`Go ${goVersionMin} or newer is needed; ${go.path} is Go ${go.version}`);
  }
  return go;
}

interface Target {
  name: PeerName;
  label: string;
  folder: string;
  go: Go;
}

async function buildPeer(target: Target, options: BuildOptions): Promise<void> {
  const { name, label, folder } = target;
  await mkdir(dirname(folder), { recursive: true });
  // Beside the final folder, because a rename is atomic only within one file system.
  const temporary = await mkdtemp(join(dirname(folder), '.building-'));
  try {
    const download = await downloadModules(target, options);
    const compile = await compileProgram(target, { ...options, temporary, ...download });
    await moveInto(folder, temporary);
    const total = formatSeconds(download.seconds + compile.seconds);
    options.log(`${label}: built in ${total}, ${join(folder, name)}`);
    await recordTime(target, { download: download.seconds, compile: compile.seconds });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function downloadModules(
  { name, label, go }: Target,
  { log, signal }: BuildOptions,
): Promise<{ seconds: number; packages: number }> {
  log(`${label}: fetching modules`);
  let packages = 0;
  let modules = 0;
  let latest = '';
  const seconds = await runGo({
    go,
    name,
    args: fetchArguments(name),
    signal,
    onOut: () => {
      packages += 1;
    },
    onErr: (line) => {
      if (!line.startsWith('go: downloading ')) return;
      modules += 1;
      latest = line.slice('go: downloading '.length);
    },
    heartbeat: (elapsed) => log(`${label}: fetched ${modules} modules, ${latest} (${elapsed})`),
  });
  if (modules > 0) log(`${label}: fetched ${modules} modules in ${formatSeconds(seconds)}`);
  return { seconds, packages };
}

async function compileProgram(
  { name, label, go }: Target,
  options: BuildOptions & { temporary: string; packages: number },
): Promise<{ seconds: number }> {
  const { log, signal, temporary, packages } = options;
  log(`${label}: compiling up to ${packages} packages`);
  let compiled = 0;
  let latest = '';
  const seconds = await runGo({
    go,
    name,
    args: buildArguments(name, ['-v', '-o', join(temporary, name)]),
    signal,
    onOut: () => undefined,
    onErr: (line) => {
      if (line.startsWith('go: ') || line.includes(' ')) return;
      compiled += 1;
      latest = line;
    },
    heartbeat: (elapsed) =>
      log(`${label}: compiled ${compiled} of up to ${packages} packages, ${latest} (${elapsed})`),
  });
  return { seconds };
}

interface GoRun {
  go: Go;
  name: PeerName;
  args: readonly string[];
  signal: AbortSignal | undefined;
  onOut: (line: string) => void;
  onErr: (line: string) => void;
  heartbeat: (elapsed: string) => void;
}

/** Runs `go` in the module of a peer and gives the seconds it took. */
async function runGo({ go, name, args, signal, onOut, onErr, heartbeat }: GoRun): Promise<number> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const child = spawn(go.path, args, {
    cwd: moduleDir(peer(name).folder),
    env: { ...process.env, ...buildEnvironment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal ? { signal } : {}),
  });
  const tail: string[] = [];
  createInterface(child.stdout).on('line', onOut);
  createInterface(child.stderr).on('line', (line) => {
    onErr(line);
    tail.push(line);
    if (tail.length > ERROR_LINES_MAX) tail.shift();
  });
  const beat = setInterval(() => heartbeat(formatSeconds(seconds())), HEARTBEAT_MS);
  try {
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    child.once('error', reject).once('close', resolve);
    const code = await promise;
    if (code !== 0) {
      throw new Error(`${name}: go ${args[0]} failed (${code})\n${tail.join('\n')}`);
    }
    return seconds();
  } finally {
    clearInterval(beat);
  }
}

/** Of two builds that end together one wins; both made the same program, so the other is dropped. */
async function moveInto(folder: string, temporary: string): Promise<void> {
  try {
    await rename(temporary, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

async function recordTime(
  { name, go }: Target,
  seconds: { download: number; compile: number },
): Promise<void> {
  const file = join(cacheDir(), 'peers', 'times.json');
  const time: BuildTime = {
    name,
    version: peerVersion(name),
    go: go.version,
    platform: go.platform,
    cpus: availableParallelism(),
    finished: new Date().toISOString(),
    downloadSeconds: round(seconds.download),
    compileSeconds: round(seconds.compile),
  };
  const times = [...(await readTimes(file)), time];
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(times, undefined, 2)}\n`);
  await rename(temporary, file);
}

async function readTimes(file: string): Promise<unknown[]> {
  if (!existsSync(file)) return [];
  const parsed: unknown = JSON.parse(await readFile(file, 'utf8'));
  return Array.isArray(parsed) ? parsed : [];
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}

export function formatSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes === 0 ? `${whole} s` : `${minutes} min ${whole % 60} s`;
}
