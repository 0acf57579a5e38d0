/** `npm start`: builds, then runs a control plane until Ctrl-C. */
import { join } from 'node:path';
import { replaceProcess, requireNode } from '../packages/server/launcher.js';
import { build } from './build.ts';

const root = join(import.meta.dirname, '..');
process.stdout.write('Building …\n');
await build();
const tributary = join(root, 'packages', 'cli', 'bin', 'tributary.js');
replaceProcess(requireNode(root), [tributary, 'up', ...process.argv.slice(2)]);
