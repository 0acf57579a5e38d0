import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { systemClock } from '@tributary/client';
import { temporaryDirectory } from '../../../../test/harness/index.ts';
import { silentLog } from '../../../server/test/log-fixture.ts';
import type { StoredDocument } from './document-store.ts';
import { type FileDocumentStoreOptions, fileDocumentStore } from './file-document-store.ts';

const base: StoredDocument = {
  registration: 'v1.a.example.com',
  uid: 'uid-1',
  part: 'discovery',
  goodAtMs: 1_700_000_000_000,
  etag: '"one"',
  bytes: Buffer.from('{"resources":[]}'),
};

test('what is written is there for the next process', async (t) => {
  const { directory, open } = await place(t);
  const first = open();
  const untagged = { ...base, part: 'openapi-v2', etag: undefined };
  first.write(base);
  first.write(untagged);
  first.write({ ...base, registration: '../../etc', bytes: new Uint8Array() });
  await first[Symbol.asyncDispose]();
  const stored = await open().read();
  assert.deepEqual(
    stored.map((document) => [document.registration, document.part, document.etag]).sort(),
    [
      ['../../etc', 'discovery', '"one"'],
      ['v1.a.example.com', 'discovery', '"one"'],
      ['v1.a.example.com', 'openapi-v2', undefined],
    ],
  );
  const again = stored.find(
    ({ part, registration }) => part + registration === `discovery${base.registration}`,
  );
  assert.deepEqual({ ...again, bytes: Buffer.from(again?.bytes ?? []) }, base);
  assert.equal((await readdir(directory)).length, 2);
});

test('the last wish for a document counts', async (t) => {
  const { open } = await place(t);
  const store = open();
  for (let at = 0; at < 100; at += 1) store.write({ ...base, goodAtMs: at });
  await store.flush();
  assert.deepEqual(
    (await open().read()).map(({ goodAtMs }) => goodAtMs),
    [99],
  );
});

test('a registration goes with all its documents, and may come again', async (t) => {
  const { open } = await place(t);
  const store = open();
  store.write(base);
  store.write({ ...base, part: 'openapi-v3' });
  store.write({ ...base, registration: 'v1.b.example.com' });
  await store.flush();
  store.remove(base.registration);
  await store.flush();
  assert.deepEqual(
    (await open().read()).map(({ registration }) => registration),
    ['v1.b.example.com'],
  );
  store.remove(base.registration);
  store.write({ ...base, uid: 'uid-2' });
  await store.flush();
  assert.deepEqual((await open().read()).map(({ uid }) => uid).sort(), ['uid-1', 'uid-2']);
});

const damages: { name: string; damage: (file: string) => Promise<void> }[] = [
  { name: 'nothing', damage: (file) => truncate(file, 0) },
  { name: 'half of the first line', damage: (file) => truncate(file, 20) },
  {
    name: 'all but the last byte',
    damage: async (file) => truncate(file, (await readFile(file)).length - 1),
  },
  {
    name: 'another byte',
    damage: async (file) => {
      const bytes = await readFile(file);
      bytes[bytes.length - 2] = 0x20;
      await writeFile(file, bytes);
    },
  },
  { name: 'garbage', damage: (file) => writeFile(file, Buffer.alloc(100_000, 7)) },
  { name: 'a first line of somebody else', damage: (file) => writeFile(file, '{"format":9}\nabc') },
  { name: 'a first line that is no object', damage: (file) => writeFile(file, 'null\nabc') },
];
for (const { name, damage } of damages) {
  test(`a file with ${name} is left out, and said so`, async (t) => {
    const { directory, open, lines } = await place(t);
    const store = open();
    store.write(base);
    store.write({ ...base, registration: 'v1.b.example.com' });
    await store.flush();
    await damage(await fileOf(directory, base.registration));
    assert.deepEqual(
      (await open().read()).map(({ registration }) => registration),
      ['v1.b.example.com'],
    );
    assert.equal(
      lines.filter((line) => line.startsWith('Ignoring damaged document file')).length,
      1,
    );
  });
}

test('strange things in the directory are no error', async (t) => {
  const { directory, open, lines } = await place(t);
  await mkdir(join(directory, 'a', 'b'), { recursive: true });
  await writeFile(join(directory, 'file'), 'x');
  await writeFile(join(directory, 'a', 'discovery.document.1.unfinished'), 'x');
  assert.deepEqual(await open().read(), []);
  assert.equal(lines.length, 2);
  assert.deepEqual(await readdir(join(directory, 'a')), ['b']);
});

test('a directory that does not exist is an empty one', async (t) => {
  const { directory, lines } = await place(t);
  const { log } = silentLog();
  const store = fileDocumentStore(join(directory, 'new'), { log, clock: systemClock });
  assert.deepEqual(await store.read(), []);
  store.write(base);
  await store.flush();
  assert.equal((await store.read()).length, 1);
  assert.deepEqual(lines, []);
});

test('a place where nothing can be written is logged, not thrown', async (t) => {
  const { directory, open, lines } = await place(t);
  await writeFile(join(directory, 'file'), '');
  const { log, lines: own } = silentLog();
  const store = fileDocumentStore(join(directory, 'file'), { log, clock: systemClock });
  store.write(base);
  store.write({ ...base, registration: 'v1.b.example.com' });
  await store.flush();
  assert.equal(own.filter((line) => line.startsWith('A document could not be kept')).length, 1);
  await chmod(directory, 0o700);
  assert.deepEqual(await open().read(), []);
  assert.equal(lines.length, 1);
});

test('at the bound of files the one that was good longest ago goes', async (t) => {
  const { open } = await place(t, { filesMax: 2 });
  const store = open();
  for (const [at, registration] of ['b', 'a', 'c'].entries()) {
    store.write({ ...base, registration, goodAtMs: at });
    await store.flush();
  }
  assert.deepEqual(
    (await open().read()).map(({ registration }) => registration),
    ['a', 'c'],
  );
});

test('at the bound of bytes others make room, and what is larger alone is not kept', async (t) => {
  const { open, lines } = await place(t, { bytesMax: 2_000 });
  const store = open();
  store.write({ ...base, registration: 'a', bytes: Buffer.alloc(1_000) });
  store.write({ ...base, registration: 'b', bytes: Buffer.alloc(1_000) });
  store.write({ ...base, registration: 'c', bytes: Buffer.alloc(3_000) });
  await store.flush();
  assert.deepEqual(
    (await open().read()).map(({ registration }) => registration),
    ['b'],
  );
  assert.match(lines.join('\n'), /too large to be kept/);
});

test('a process that is killed while it writes leaves no half document', async (t) => {
  const { directory, open } = await place(t);
  const rounds = process.env.TRIBUTARY_FULL === '1' ? 8 : 2; // each starts a process
  for (let round = 0; round < rounds; round += 1) {
    const writer = spawn(
      process.execPath,
      [
        ...process.execArgv.filter((flag) => !flag.startsWith('--test')),
        join(import.meta.dirname, '../../test/write-documents.ts'),
        directory,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    // One line before each document is written: it is killed within the next one, or soon after.
    let begun = 0;
    for await (const _ of createInterface(writer.stdout)) {
      begun += 1;
      if (begun === 2 + round) break;
    }
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    const stored = await open().read();
    assert.equal(stored.length, 1);
    for (const { bytes, goodAtMs } of stored) {
      const whole = Buffer.alloc(4 * 1024 * 1024, goodAtMs % 251);
      assert.ok(whole.equals(bytes), `document ${goodAtMs} of ${bytes.byteLength} bytes`);
    }
    const [folder = ''] = await readdir(directory);
    assert.deepEqual(await readdir(join(directory, folder)), ['discovery.document']);
  }
});

async function place(t: TestContext, options: Partial<FileDocumentStoreOptions> = {}) {
  const directory = await temporaryDirectory(t, 'documents-');
  const { log, lines } = silentLog();
  const open = () => fileDocumentStore(directory, { log, clock: systemClock, ...options });
  return { directory, open, lines };
}

async function fileOf(directory: string, registration: string): Promise<string> {
  for (const folder of await readdir(directory)) {
    const file = join(directory, folder, 'discovery.document');
    if ((await readFile(file, 'utf8')).includes(registration)) return file;
  }
  throw new Error(`no file of ${registration}`);
}
