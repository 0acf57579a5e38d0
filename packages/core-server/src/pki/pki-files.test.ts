import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../../test/harness/index.ts';
import { readPkiFiles, writePkiFiles } from './pki-files.ts';

test('only temporary files of a killed writer are deleted', async (t) => {
  const directory = await temporaryDirectory(t);
  const hourAgo = Date.now() / 1000 - 3600;
  const old = ['ca.key.0123456789ab.new', 'other.0123456789ab.new', 'ca.key.new', 'ca.key.backup'];
  for (const name of [...old, 'ca.key.ba9876543210.new']) writeFileSync(join(directory, name), 'x');
  for (const name of old) utimesSync(join(directory, name), hourAgo, hourAgo);
  await writePkiFiles(directory, [{ name: 'ca.key', text: 'new' }]);
  const left = ['ca.key', 'ca.key.ba9876543210.new', 'ca.key.backup', 'ca.key.new'];
  assert.deepEqual(readdirSync(directory).sort(), [...left, 'other.0123456789ab.new'].sort());
});

test('a failed write leaves no partial files', async (t) => {
  const directory = await temporaryDirectory(t);
  mkdirSync(join(directory, 'b'));
  const writes = ['a', 'b', 'c'].map((name) => ({ name, text: name }));
  await assert.rejects(writePkiFiles(directory, writes));
  assert.deepEqual(readdirSync(directory).sort(), ['a', 'b']);
});

test('missing files are absent; unreadable files are an error', async (t) => {
  const directory = await temporaryDirectory(t);
  writeFileSync(join(directory, 'a'), 'text');
  assert.deepEqual([...(await readPkiFiles(directory, ['a', 'b']))], [['a', 'text']]);
  mkdirSync(join(directory, 'b'));
  await assert.rejects(readPkiFiles(directory, ['a', 'b']), /EISDIR/);
});
