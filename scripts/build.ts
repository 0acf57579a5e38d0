/** Builds every package into its `dist/` and writes the stamp by which launchers check that the build is current. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePrograms } from './bundle.ts';

const root = join(import.meta.dirname, '..');

export async function build(): Promise<void> {
  const startedAt = new Date();
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const { status } = spawnSync(tsc, ['--build'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  await bundlePrograms(root);
  const cache = join(root, 'node_modules', '.cache');
  const stamp = join(cache, 'tributary-build');
  mkdirSync(cache, { recursive: true });
  writeFileSync(stamp, `${startedAt.toISOString()}\n`);
  // Changes made during the build may be missing from it.
  utimesSync(stamp, startedAt, startedAt);
}

if (import.meta.main) await build();
