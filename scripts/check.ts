/** Checks types, lint and format; `--fix` repairs lint and format. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const fix = process.argv.includes('--fix');
const steps: readonly [name: string, command: string, args: readonly string[]][] = [
  ['types of the packages', 'tsc', ['--build', '--pretty']],
  ['types of tests and scripts', 'tsc', ['--project', 'tsconfig.repo.json', '--pretty']],
  ['lint and format', 'biome', ['check', '--error-on-warnings', ...(fix ? ['--write'] : [])]],
];

let failed = 0;
for (const [name, command, args] of steps) {
  process.stdout.write(`check: ${name}\n`);
  const tool = join(root, 'node_modules', '.bin', command);
  const { status } = spawnSync(tool, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) failed += 1;
}
process.stdout.write(`check: ${steps.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
