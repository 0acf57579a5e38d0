/** `npm start`: builds, then runs the sample API server until Ctrl-C. */
import { join } from 'node:path';
import { replaceProcess, requireNode } from '../packages/server/launcher.js';
import { build } from './build.ts';

const root = join(import.meta.dirname, '..');
process.stdout.write('Building …\n');
build();
const wardle = join(root, 'samples', 'wardle', 'bin', 'wardle-apiserver.js');
replaceProcess(requireNode(root), [wardle, ...process.argv.slice(2)]);
