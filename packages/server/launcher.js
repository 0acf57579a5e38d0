// Plain JavaScript on purpose: this file starts on whatever Node the machine has, and its only task
// is to reach the Node that the project supports.
import module from 'node:module';

// An import reads every property of what Node brings, and with some of them loads more than a launcher needs.
const require = module.createRequire(import.meta.url);
const { existsSync, readdirSync, statSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');

const NODE_MAJOR_MIN = 24;
export const SOURCE_CONDITION = 'tributary-source';

/**
 * Runs a program of ours: its build when there is a current one, as few files where it was bundled, and its
 * TypeScript sources otherwise.
 *
 * @param {{ bin: string, built: string, bundle?: string, source: string, flags?: readonly string[], env?: Readonly<Record<string, string>> }} program
 *   `bin` is the launcher's `import.meta.url`; the entries are paths relative to the package's root; `flags` are
 *   what Node runs it with, where a process can be replaced or has to be; `env` comes with them, and what the user
 *   has set goes before it.
 */
export async function launch({ bin, built, bundle, source, flags = [], env = {} }) {
  const root = dirname(dirname(fileURLToPath(bin)));
  const sourceFile = join(root, source);
  const useSource = existsSync(sourceFile) && !buildIsCurrent(root);
  const bundleFile = bundle && join(root, bundle);
  const builtFile = bundleFile && existsSync(bundleFile) ? bundleFile : join(root, built);
  const hasFlags = flags.every((flag) => process.execArgv.includes(flag));
  if (!useSource && nodeMajor() >= NODE_MAJOR_MIN && (hasFlags || !process.execve)) {
    process.env.NODE_COMPILE_CACHE ||= compileCacheFolder(); // threads look here
    module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
    await import(pathToFileURL(builtFile).href);
    return;
  }
  const args = [
    ...(useSource ? sourceFlags() : []),
    ...process.execArgv.filter((flag) => !flags.includes(flag)),
    ...flags,
    useSource ? sourceFile : builtFile,
    ...process.argv.slice(2),
  ];
  replaceProcess(requireNode(root), args, { ...env, ...process.env });
}

/**
 * For servers: by default Node lets young objects take 128 MB on a large machine, and does not give them back. With
 * this bound a server that took ten thousand creates held 80 MB less, and its writes cost no more CPU. They begin
 * with a little more than by default, so that a start is collected less often and takes a tenth less; with more still, an
 * idle server would grow by as much.
 * Most other flags would cost more than they give: with them Node compiles anew what it brings along, 45 ms of a start.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=8', '--min-semi-space-size=2'];

/**
 * For servers on glibc, whose allocator otherwise has a heap for each thread, and with every large block that is freed
 * keeps more for itself. Blocks from 32 KiB on are mapped, and so go back when they are freed; smaller ones come from
 * four heaps, so that what requests take and free is not strewn among what the store and the compiler hold. A quiet
 * server that took ten thousand creates held about 17 MB less than with two heaps and blocks from 128 KiB on, which had
 * saved 20 to 40 MB. Mappings end at a quarter of what Linux gives a process, whose heap of objects needs some, too.
 */
export const SERVER_ENV = {
  MALLOC_ARENA_MAX: '4',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_MMAP_MAX_: '16384',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** Flags under which Node runs the workspace from its TypeScript sources. */
export function sourceFlags() {
  return [`--conditions=${SOURCE_CONDITION}`, '--disable-warning=ExperimentalWarning'];
}

/** A Node of a supported version: the running one, or the one pinned through npm. Exits when there is none. */
export function requireNode(from) {
  const node = findNode(from);
  if (node !== undefined) return node;
  process.stderr.write(
    `Node ${NODE_MAJOR_MIN} or newer is needed and this is ${process.version}.\n` +
      `The package ${pinnedPackage()} brings one: run "npm ci", or install Node ${NODE_MAJOR_MIN}.\n`,
  );
  process.exit(1);
}

/** @returns {string | undefined} */
export function findNode(from) {
  if (nodeMajor() >= NODE_MAJOR_MIN) return process.execPath;
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', pinnedPackage(), 'bin', 'node');
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Ends this process with the outcome of another one, which takes its place at the terminal. */
export function replaceProcess(file, args, env = {}) {
  const environment = { NODE_COMPILE_CACHE: compileCacheFolder(), ...process.env, ...env };
  if (typeof process.execve === 'function') process.execve(file, [file, ...args], environment);
  // Asked for here, because loading it takes longer than the rest of a launcher.
  const { spawn } = require('node:child_process');
  const { constants } = require('node:os');
  const child = spawn(file, args, { stdio: 'inherit', env: environment });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`${file}: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function nodeMajor() {
  return Number(process.versions.node.split('.')[0]);
}

function pinnedPackage() {
  return `node-${process.platform}-${process.arch}`;
}

function compileCacheFolder() {
  const home = process.env.XDG_CACHE_HOME || join(process.env.HOME || '/tmp', '.cache');
  return join(process.env.TRIBUTARY_CACHE_DIR || join(home, 'tributary'), 'compile');
}

/** In a checkout a build older than any source would run yesterday's code without saying so. */
function buildIsCurrent(root) {
  const checkout = join(root, '..', '..');
  const stamp = join(checkout, 'node_modules', '.cache', 'tributary-build');
  if (!existsSync(stamp)) return false;
  const builtAt = statSync(stamp).mtimeMs;
  for (const group of ['packages', 'samples']) {
    for (const name of readdirSync(join(checkout, group))) {
      const sources = join(checkout, group, name, 'src');
      if (existsSync(sources) && newestUnder(sources) > builtAt) return false;
    }
  }
  return true;
}

function newestUnder(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.endsWith('.test.ts')) continue; // no part of a build
    const path = `${folder}/${entry.name}`;
    newest = Math.max(newest, entry.isDirectory() ? newestUnder(path) : statSync(path).mtimeMs);
  }
  return newest;
}
