// Plain JavaScript on purpose: this file runs on whatever Node the machine has, and only starts the Node that the project
// supports.
import module from 'node:module';

// An ES import of a built-in module evaluates all its getters, some of which load more than a launcher needs.
const require = module.createRequire(import.meta.url);
const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');

const NODE_MAJOR_MIN = 24;
export const SOURCE_CONDITION = 'tributary-source';

/**
 * Runs a program of the workspace: its build if there is a current one, bundled or not, and its TypeScript sources otherwise.
 *
 * @param {{ bin: string, built: string, bundle?: string, source: string, settings?: string }} program
 *   `bin` is the launcher's `import.meta.url`; the others are paths relative to the package's root.
 */
export async function launch({ bin, built, bundle, source, settings }) {
  const root = dirname(dirname(fileURLToPath(bin)));
  const { flags, env } = settings ? readSettings(join(root, settings)) : { flags: [], env: {} };
  const sourceFile = join(root, source);
  const useSource = existsSync(sourceFile) && !buildIsCurrent(root);
  const bundleFile = bundle && join(root, bundle);
  const builtFile = bundleFile && existsSync(bundleFile) ? bundleFile : join(root, built);
  const hasFlags = flags.every((flag) => process.execArgv.includes(flag));
  if (!useSource && nodeMajor() >= NODE_MAJOR_MIN && (hasFlags || !process.execve)) {
    process.env.NODE_COMPILE_CACHE ||= compileCacheFolder(); // worker threads read it
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

/** Flags of Node, and variables of the environment as `NAME=value`, one per line. */
export function readSettings(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const variables = lines.map((line) => /^([A-Z]\w*)=(.*)$/.exec(line)).filter(Boolean);
  return {
    flags: lines.filter((line) => line.startsWith('--')),
    env: Object.fromEntries(variables.map(([, name, value]) => [name, value])),
  };
}

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

/** Replaces this process by another one, or forwards its signals and exit code where a process cannot be replaced. */
export function replaceProcess(file, args, env = {}) {
  const environment = { NODE_COMPILE_CACHE: compileCacheFolder(), ...process.env, ...env };
  if (typeof process.execve === 'function') process.execve(file, [file, ...args], environment);
  // Loaded only here: it takes longer than the rest of the launcher.
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

/** In a checkout, a build that is older than any source is outdated. */
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
    if (entry.name.endsWith('.test.ts')) continue; // not part of a build
    const path = `${folder}/${entry.name}`;
    newest = Math.max(newest, entry.isDirectory() ? newestUnder(path) : statSync(path).mtimeMs);
  }
  return newest;
}
