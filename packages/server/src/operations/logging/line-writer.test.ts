import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Destination, LineWriter } from './line-writer.ts';
import { rotatingFile } from './rotating-file.ts';

function memory(): Destination & { texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    write: async (text) => {
      texts.push(text);
    },
    close: async () => {},
  };
}

test('lines leave together, in order, and all before the writer is closed', async () => {
  const destination = memory();
  const writer = new LineWriter({ destination, onError: assert.fail });
  for (const line of ['a\n', 'b\n']) assert.equal(writer.write(line), true);
  await writer.flush();
  writer.write('c\n');
  await writer.close();
  assert.deepEqual(destination.texts, ['a\nb\n', 'c\n']);
  assert.equal(writer.write('d\n'), false);
});

test('a destination that is stuck costs lines, which are counted, and no time', async () => {
  const taken = Promise.withResolvers<void>();
  const texts: string[] = [];
  const destination: Destination = {
    write: async (text) => {
      await taken.promise;
      texts.push(text);
    },
    close: async () => {},
  };
  const writer = new LineWriter({ destination, charactersMax: 10, onError: assert.fail });
  assert.deepEqual(
    ['1234\n', '5678\n', '9'].map((line) => writer.write(line)),
    [true, true, false],
  );
  assert.equal(writer.dropped, 1);
  taken.resolve();
  await writer.flush();
  assert.equal(writer.write('again\n'), true);
  await writer.close();
  assert.deepEqual(texts, ['1234\n5678\n', 'again\n']);
});

test('a write that fails is told, and the next is tried', async () => {
  const destination = memory();
  const write = destination.write;
  let failures = 1;
  destination.write = async (text) => {
    failures -= 1;
    if (failures >= 0) throw new Error('disk full');
    await write(text);
  };
  const errors: unknown[] = [];
  const writer = new LineWriter({
    destination,
    onError: (error, lines) => errors.push([String(error), lines]),
  });
  writer.write('lost\n');
  writer.write('lost too\n');
  await writer.flush();
  writer.write('kept\n');
  await writer.close();
  assert.deepEqual(errors, [['Error: disk full', 2]]);
  assert.deepEqual(destination.texts, ['kept\n']);
});

test('more lines than fit a block, and a line that is larger than one, leave whole and in order', async () => {
  const written: string[] = [];
  const destination: Destination = {
    write: () => assert.fail('a destination that takes bytes gets bytes'),
    // The writer reuses the bytes once this resolves, so they are decoded before.
    writeBytes: async (bytes) => {
      written.push(Buffer.from(bytes).toString('utf8'));
      bytes.fill(0);
    },
    close: async () => {},
  };
  const writer = new LineWriter({ destination, onError: assert.fail });
  const lines = Array.from({ length: 5000 }, (_, at) => `${at} ${'é'.repeat(at % 200)}\n`);
  lines.splice(2500, 0, `${'𝄞'.repeat(300_000)}\n`, '\ud800\n');
  for (const half of [lines.slice(0, 2600), lines.slice(2600)]) {
    for (const line of half) assert.equal(writer.write(line), true);
    await writer.flush();
  }
  await writer.close();
  // An unpaired surrogate cannot be encoded, and is replaced as usual.
  assert.equal(written.join(''), lines.join('').replace('\ud800', '\ufffd'));
  assert.ok(written.length > 3, 'they leave in several writes');
});

test('a file is put aside when it is full, and old ones go', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'rotating-'));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, 'logs', 'audit.log');
  let nowMs = Date.parse('2026-01-02T03:04:05.006Z');
  const file = rotatingFile({ path, bytesMax: 10, backupsMax: 2, ageMsMax: 0, nowMs: () => nowMs });
  for (const text of ['12345678\n', 'one\n', '12345678\n', 'two\n', '12345678\n', 'last\n']) {
    await file.write(text);
    nowMs += 1000;
  }
  await file.close();
  await file.close();
  const names = (await readdir(join(directory, 'logs'))).sort();
  assert.deepEqual(names, [
    'audit-2026-01-02T03-04-09.006.log',
    'audit-2026-01-02T03-04-10.006.log',
    'audit.log',
  ]);
  assert.equal(await readFile(path, 'utf8'), 'last\n');
});

test('files put aside go when they are too old, and others stay', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'rotating-'));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, 'audit.log');
  await writeFile(path, 'from before\n');
  await writeFile(join(directory, 'audit-2025-01-01T00-00-00.000.log'), '');
  await writeFile(join(directory, 'audit-notes.log'), '');
  const nowMs = () => Date.parse('2026-01-02T00:00:00Z');
  const file = rotatingFile({ path, bytesMax: 5, backupsMax: 0, ageMsMax: 86_400_000, nowMs });
  await file.write('new\n');
  await file.close();
  assert.deepEqual((await readdir(directory)).sort(), [
    'audit-2026-01-02T00-00-00.000.log',
    'audit-notes.log',
    'audit.log',
  ]);
});
