import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../../test/harness/index.ts';
import { standalonePki } from './standalone.ts';

const nowMs = Date.parse('2026-06-01T00:00:00Z');
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

test('certificates are made once and kept', async (t) => {
  const directory = await temporaryDirectory(t);
  const first = await standalonePki(directory, { nowMs });
  assert.deepEqual(await standalonePki(directory, { nowMs }), first);
  const later = await standalonePki(directory, { nowMs: nowMs + YEAR_MS });
  assert.notEqual(later.serving.cert, first.serving.cert, 'made anew before they run out');
});

test('files that do not belong together are made anew', async (t) => {
  const directory = await temporaryDirectory(t);
  const other = await temporaryDirectory(t);
  const first = await standalonePki(directory, { nowMs });
  await standalonePki(other, { nowMs });
  copyFileSync(join(other, 'admin.key'), join(directory, 'admin.key'));
  const second = await standalonePki(directory, { nowMs });
  assert.notEqual(second.ca, first.ca);
  writeFileSync(join(directory, 'ca.crt'), 'no PEM');
  assert.notEqual((await standalonePki(directory, { nowMs })).ca, second.ca);
});
