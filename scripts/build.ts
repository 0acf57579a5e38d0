/** Builds every package into its `dist/` and leaves the stamp by which launchers know the build is current. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export function build(): void {
  const startedAt = new Date().toISOString();
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const { status } = spawnSync(tsc, ['--build'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'tributary-build'), `${startedAt}\n`);
}

if (import.meta.main) build();
