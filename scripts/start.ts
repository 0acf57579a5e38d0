/** `npm start`: builds, then runs a control plane with the wardle sample behind it until Ctrl-C. */
import { join } from 'node:path';
import { replaceProcess, requireNode } from '../packages/server/launcher.js';
import { build } from './build.ts';

/** Arguments of `tributary`: the wardle sample is the default of `--sample`. */
export function startArguments(given: readonly string[]): string[] {
  const isNamed = given.some((arg) => arg === '--sample' || arg.startsWith('--sample='));
  return ['up', ...(isNamed ? [] : ['--sample=wardle']), ...given];
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  process.stdout.write('Building …\n');
  await build();
  const tributary = join(root, 'packages', 'cli', 'bin', 'tributary.js');
  replaceProcess(requireNode(root), [tributary, ...startArguments(process.argv.slice(2))]);
}
