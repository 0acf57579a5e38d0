// Every npm script goes through here: install what is missing, then run a TypeScript file on the pinned Node.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replaceProcess, requireNode, sourceFlags } from '../packages/server/launcher.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (!installed()) {
  process.stdout.write('Installing dependencies (npm ci) …\n');
  const { status } = spawnSync('npm', ['ci', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
const [script, ...args] = process.argv.slice(2);
replaceProcess(requireNode(root), [...sourceFlags(), join(root, script), ...args]);

/** npm writes the inner lock file last, so it tells a finished installation from a broken one. */
function installed() {
  const inner = join(root, 'node_modules', '.package-lock.json');
  return (
    existsSync(inner) &&
    statSync(inner).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
  );
}
