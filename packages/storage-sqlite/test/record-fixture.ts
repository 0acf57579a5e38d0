/**
 * Writes a data directory of the current format into test/fixtures, once per released format: `node
 * test/record-fixture.ts`. Fixtures are never written again, because later programs must open them.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStorage } from '@tributary/storage-sqlite';
import { put, remove } from './writes.ts';

const directory = mkdtempSync(join(tmpdir(), 'tributary-fixture-'));
const storage = await openSqliteStorage({ directory });
await put(storage, '/registry/configmaps/default/one', '{"data":"first"}');
await put(storage, '/registry/configmaps/default/two', '{"data":"second"}');
await put(storage, '/registry/configmaps/default/one', '{"data":"changed"}');
await put(storage, '/registry/leases/kept', '{}', 100 * 365 * 86_400);
await remove(storage, '/registry/configmaps/default/two');
await put(storage, '/registry/configmaps/\u{1f600}', '');
await storage.close();

const format = readFileSync(join(directory, 'VERSION'), 'utf8').trim();
const target = join(import.meta.dirname, 'fixtures', `format-${format}`);
if (existsSync(target)) throw new Error(`${target} exists: a released format does not change`);
mkdirSync(target, { recursive: true });
for (const file of ['VERSION', 'store.db']) cpSync(join(directory, file), join(target, file));
rmSync(directory, { recursive: true });
console.log(`recorded ${target}`);
