/** An informer over many random changes, while the server and its store are closed and opened repeatedly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KubeObject, StatusError } from '@tributary/apimachinery';
import {
  createServer,
  defineApi,
  defineResource,
  type RunningServer,
  version,
} from '@tributary/server';
import type { Storage } from '@tributary/storage';
import { openSqliteStorage } from '@tributary/storage-sqlite';
import Type from 'typebox';
import {
  createPki,
  freePort,
  type Pki,
  type SeededRandom,
  seededRandom,
  type TestScope,
  temporaryDirectory,
} from '../../../test/harness/index.ts';
import {
  type Client,
  type ClientConfig,
  createClient,
  createInformer,
  type Informer,
  type ListWatch,
  objectKey,
  type ResourceClient,
  type WatchEvent,
  type WatchOptions,
} from '../src/index.ts';
import { waitUntil } from './informer-model.ts';

type Note = KubeObject & { readonly spec: { readonly text: string } };

const Note = defineResource({
  kind: 'Note',
  plural: 'notes',
  scope: 'Namespaced',
  versions: { v1: version({ spec: Type.Object({ text: Type.String() }) }) },
});
const api = defineApi({ group: 'notes.example.com', resources: [Note] });
const NOTES = { group: 'notes.example.com', version: 'v1', plural: 'notes', namespaced: true };
const NAMESPACES = ['eu', 'us', 'asia'];
/** Names of each writer, in each namespace: no other writer uses them, so hardly any write fails. */
const NAMES_EACH = 6;
const WRITERS = 16;
const BACKOFF = { initialMs: 10, maxMs: 100, factor: 2, jitter: 1, resetMs: 1000 };

const isFull = process.env.TRIBUTARY_FULL === '1';
const CHANGES = Number(process.env.INFORMER_CHANGES ?? (isFull ? 10_000 : 1_000));
const RESTARTS = isFull ? 12 : 4;

test(`after ${CHANGES} changes and ${RESTARTS} restarts the copies are the store's content`, async (t) => {
  const random = seededRandom(t);
  const site = await openSite(t);
  const watching = [true, false].map((watchList) => follow(t, site, { watchList }));
  await Promise.all(watching.map((informer) => informer.whenSynced()));
  const changes = await change(site, { random, changes: CHANGES, restarts: RESTARTS });
  t.diagnostic(
    `${changes.made} changes, ${changes.unknown} without a response, ${site.starts()} starts`,
  );
  assert.ok(changes.made >= CHANGES);
  assert.equal(site.starts(), RESTARTS + 1);
  for (const informer of watching) {
    await waitUntil(
      () => informer.lastSyncResourceVersion === changes.last.metadata.resourceVersion,
      () => `at ${informer.lastSyncResourceVersion} of ${changes.last.metadata.resourceVersion}`,
    );
    assert.deepEqual(await differences(informer, site.notes), []);
  }
});

test('a copy that misses one event is detected', async (t) => {
  const random = seededRandom(t);
  const site = await openSite(t);
  let dropped = 0;
  const informer = follow(t, site, {
    watchList: true,
    isDropped: ({ type, object }) => {
      const isVictim = type === 'MODIFIED' && object.metadata.name === 'last';
      if (isVictim) dropped += 1;
      return isVictim;
    },
  });
  await informer.whenSynced();
  const { last } = await change(site, { random, changes: 300, restarts: 1 });
  await site.notes.update({ ...last, spec: { text: 'changed' } });
  await waitUntil(
    () => dropped === 1,
    () => 'nothing was dropped',
  );
  assert.deepEqual(await differences(informer, site.notes), ['eu/last']);
});

/** A server over TLS on a store on disk, and two clients of it. */
interface Site {
  readonly notes: ResourceClient<Note>;
  /** The client of the informers. */
  readonly client: Client;
  readonly starts: () => number;
  restart(): Promise<void>;
  /** Resolves at once, unless the server is restarting. */
  whenUp(): Promise<void>;
}

async function openSite(t: TestScope): Promise<Site> {
  const pki = await createPki();
  const directory = await temporaryDirectory(t, 'restarts-');
  const port = await freePort();
  let starts = 0;
  let up = Promise.resolve();
  let running: { server: RunningServer; storage: Storage };
  const start = async (): Promise<void> => {
    const storage = await openSqliteStorage({ directory });
    running = { storage, server: await listen({ storage, pki, port }) };
    starts += 1;
  };
  const stop = async (): Promise<void> => {
    await running.server.close();
    await running.storage.close();
  };
  await start();
  const config = configOf(pki, port);
  const [writing, client] = [createClient(config), createClient(config)];
  const close = async (): Promise<void> => {
    await Promise.all([writing.close(), client.close()]);
    await stop();
  };
  t.after(close);
  return {
    notes: writing.resource<Note>(NOTES),
    client,
    starts: () => starts,
    restart: async () => {
      const restarted = Promise.withResolvers<void>();
      up = restarted.promise;
      await stop();
      await start();
      restarted.resolve();
    },
    whenUp: () => up,
  };
}

function listen({ storage, pki, port }: { storage: Storage; pki: Pki; port: number }) {
  return createServer(api, {
    storage,
    securePort: port,
    serving: pki.server,
    clientCa: pki.ca.cert,
    shutdown: { watchGraceMs: 5, drainMs: 20 },
  }).listen();
}

function configOf(pki: Pki, port: number): ClientConfig {
  const certificate = { certificate: { pem: pki.admin.cert }, key: { pem: pki.admin.key } };
  return {
    server: `https://127.0.0.1:${port}`,
    ca: { pem: pki.ca.cert },
    identity: { certificate },
    namespace: 'eu',
  };
}

function follow(
  t: TestScope,
  { client }: Site,
  options: { watchList: boolean; isDropped?: (event: WatchEvent<Note>) => boolean },
): Informer<Note> {
  const { watchList, isDropped = () => false } = options;
  const notes = client.resource<Note>(NOTES);
  async function* watch(watchOptions?: WatchOptions): AsyncGenerator<WatchEvent<Note>, void> {
    for await (const event of notes.watch(watchOptions)) if (!isDropped(event)) yield event;
  }
  const resource: ListWatch<Note> = {
    type: notes.type,
    list: (listOptions) => notes.list(listOptions),
    listAll: (listOptions) => notes.listAll(listOptions),
    watch,
  };
  const informer = createInformer<Note>({ resource, watchList, backoff: BACKOFF });
  t.after(() => informer.close());
  informer.start();
  return informer;
}

/** Random concurrent writes, with restarts of the server in between; the last write comes alone. */
async function change(
  site: Site,
  { random, changes, restarts }: { random: SeededRandom; changes: number; restarts: number },
): Promise<{ made: number; unknown: number; last: Note }> {
  const counts = { made: 0, unknown: 0 };
  /** The next restart comes after so many changes. */
  let due = { made: Number.POSITIVE_INFINITY, reached: Promise.withResolvers<void>() };
  const isEnough = (): boolean => counts.made >= changes && site.starts() > restarts;
  const write = async (writer: Writer): Promise<void> => {
    while (!isEnough()) {
      try {
        await writer.writeOne();
        counts.made += 1;
        if (counts.made >= due.made) due.reached.resolve();
      } catch {
        // The server is down, or was when the last write got no response: whatever its outcome, the copies must agree.
        counts.unknown += 1;
        await site.whenUp();
      }
    }
  };
  const restart = async (): Promise<void> => {
    for (let count = 1; count <= restarts; count += 1) {
      const made = (changes * count) / (restarts + 1);
      due = { made, reached: Promise.withResolvers<void>() };
      if (counts.made < made) await due.reached.promise;
      await site.restart();
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, index) =>
    createWriter(site.notes, { prefix: `w${index}`, random }),
  );
  await Promise.all([restart(), ...writers.map(write)]);
  const last = await site.notes.create({
    metadata: { name: 'last', namespace: 'eu' },
    spec: { text: 'the end' },
  });
  return { ...counts, last };
}

interface Writer {
  writeOne(): Promise<void>;
}

function createWriter(
  all: ResourceClient<Note>,
  { prefix, random }: { prefix: string; random: SeededRandom },
): Writer {
  /** According to the writer. */
  const existing = new Set<string>();
  const options = { retriesMax: 0 };
  const learn = (key: string, error: unknown): void => {
    if (!(error instanceof StatusError)) return;
    if (error.reason === 'AlreadyExists') existing.add(key);
    if (error.reason === 'NotFound') existing.delete(key);
  };
  return {
    async writeOne() {
      const [namespace, number] = [random.pick(NAMESPACES), random.int(1, NAMES_EACH)];
      const name = `${prefix}-${number}`;
      const key = `${namespace}/${name}`;
      const notes = all.in(namespace);
      const spec = { text: String(random.int(0, 1_000_000)) };
      const isEnd = random.chance(0.25);
      try {
        if (!existing.has(key)) {
          await notes.create({ metadata: { name }, spec }, options);
          existing.add(key);
        } else if (isEnd) {
          await notes.delete(name, options);
          existing.delete(key);
        } else {
          await notes.patch(name, { kind: 'merge', body: { spec } }, options);
        }
      } catch (error) {
        learn(key, error);
        throw error;
      }
    },
  };
}

/** The keys of objects that differ from the server's. */
async function differences(
  informer: Informer<Note>,
  notes: ResourceClient<Note>,
): Promise<string[]> {
  const { items } = await notes.listAll();
  const versions = (objects: readonly Note[]): Map<string, string> =>
    new Map(
      objects.map((note) => [
        objectKey(note),
        `${note.metadata.uid} ${note.metadata.resourceVersion} ${note.spec.text}`,
      ]),
    );
  const [ours, theirs] = [versions(informer.store.list()), versions(items)];
  assert.equal(theirs.size, items.length);
  const keys = new Set([...ours.keys(), ...theirs.keys()]);
  return [...keys].filter((key) => ours.get(key) !== theirs.get(key)).sort();
}
