/**
 * A server and its load generators in one process: many objects, and writers that start and stop. Each line on
 * standard input is a command, with one response line.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from '@tributary/server';
import { openMemoryStorage, type Storage } from '@tributary/storage';
import { openSqliteStorage } from '@tributary/storage-sqlite';
import { wardle } from '../samples/wardle/src/api.ts';

const [engine = '', directory = '', certFile = '', keyFile = '', caFile = ''] =
  process.argv.slice(2);
const PREFIX = '/registry/wardle.example.com/flunders/';
const HEAD = '{"kind":"Flunder","apiVersion":"wardle.example.com/v1alpha1","metadata":{';
const PER_COMMIT = 64;
const PAUSE_MS = 50;

const storage: Storage =
  engine === 'sqlite' ? await openSqliteStorage({ directory }) : openMemoryStorage();
const server = await createServer(wardle, {
  storage,
  serving: { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') },
  clientCa: readFileSync(caFile, 'utf8'),
}).listen();
process.stdout.write(`listening on ${server.port}\n`);

let writing = false;
let written = 0;

for await (const line of createInterface({ input: process.stdin })) {
  const [command, argument = ''] = line.split(' ');
  if (command === 'preload') await preload(Number(argument));
  if (command === 'write') await write(Number(argument));
  if (command === 'writers') startWriters(Number(argument));
  if (command === 'rest') writing = false;
  process.stdout.write(`done ${command} ${written}\n`);
}

async function preload(count: number): Promise<void> {
  for (let first = 0; first < count; first += PER_COMMIT) {
    const length = Math.min(PER_COMMIT, count - first);
    const writes = Array.from({ length }, (_, index) => put(`object-${first + index}`));
    await storage.commit({ require: [], writes });
  }
}

/** Changes one object repeatedly, with a pause so that each change is delivered separately. */
async function write(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await storage.commit({ require: [], writes: [put('watched')] });
    await sleep(PAUSE_MS);
  }
}

function startWriters(count: number): void {
  writing = true;
  for (let number = 0; number < count; number += 1) {
    keepWriting(`writer-${number}`).catch((error: unknown) => {
      process.stderr.write(`${error}\n`);
      process.exit(1);
    });
  }
}

async function keepWriting(name: string): Promise<void> {
  while (writing) {
    await storage.commit({ require: [], writes: [put(name)] });
    written += 1;
  }
}

function put(name: string) {
  const metadata = `"name":"${name}","namespace":"bench","annotations":{"at":"${Date.now()}","filler":"${'x'.repeat(700)}"}}`;
  const text = `${HEAD}${metadata},"spec":{"reference":"another","referenceType":"Flunder"},"status":{}}`;
  return { kind: 'put' as const, key: `${PREFIX}bench/${name}`, value: Buffer.from(text) };
}
