/**
 * `npm run golden:changes -- [REVISION]`: the table of what differs between the recordings of a git revision and those in
 * the working tree, as Markdown. After a change of release it says what the original does differently now.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { goldenDir } from '../differential/suite.ts';
import { describeChanges, type GoldenChange, groupChanges } from './change-table.ts';
import type { GoldenFile } from './store.ts';

const root = join(import.meta.dirname, '../..');
const [revision = 'HEAD'] = process.argv.slice(2);

const changes: GoldenChange[] = [];
const versions = new Set<string>();
for (const file of goldenFiles(goldenDir)) {
  const after = JSON.parse(readFileSync(file, 'utf8')) as GoldenFile;
  const before = fileAt(revision, relative(root, file));
  versions.add(`${before?.version ?? 'none'} → ${after.version}`);
  changes.push(...describeChanges(before, after));
}
process.stdout.write(`Recorded releases: ${[...versions].join(', ')}\n\n${groupChanges(changes)}`);

function goldenFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name));
}

function fileAt(commit: string, path: string): GoldenFile | undefined {
  try {
    const text = execFileSync('git', ['show', `${commit}:${path}`], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return JSON.parse(text) as GoldenFile;
  } catch {
    return undefined; // The file is new: all of its rows are.
  }
}
