// Entry of every npm script: installs missing dependencies, then runs a TypeScript file on the pinned Node.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replaceProcess, requireNode, sourceFlags } from '../packages/server/launcher.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockfile = join(root, 'package-lock.json');
/**
 * Identifies the installed lockfile. Modification times alone would accept a fresh checkout or an edited lockfile.
 */
const stamp = join(root, 'node_modules', '.tributary-installed');
const INSTALL_MS_MAX = 600_000;

if (!isInstalled()) withInstallLock(() => isInstalled() || install());
const [script, ...args] = process.argv.slice(2);
replaceProcess(requireNode(root), [...sourceFlags(), join(root, script), ...args]);

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();
}

function fingerprint() {
  return createHash('sha256').update(readFileSync(lockfile)).digest('hex');
}

function install() {
  process.stdout.write('Installing dependencies (npm ci) …\n');
  const { status } = spawnSync('npm', ['ci', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, fingerprint());
}

/** Two npm scripts that start at once on a fresh clone must not install at the same time. */
function withInstallLock(work) {
  const lock = join(root, '.installing');
  const started = Date.now();
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      // The process that holds the lock longer than an installation takes was killed.
      if (Date.now() - statSync(lock).mtimeMs > INSTALL_MS_MAX) rmdirSync(lock);
      else if (Date.now() - started > INSTALL_MS_MAX)
        throw new Error(`${lock}: another installation does not end`);
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
  process.once('exit', () => existsSync(lock) && rmdirSync(lock));
  work();
  rmdirSync(lock);
}
