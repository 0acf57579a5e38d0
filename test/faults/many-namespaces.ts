/** How long the deletion of a namespace takes in a store that is full of others, and in one that is not. */
import { eventually, type TestScope } from '../harness/index.ts';
import type { ApiClient, Reply } from './api-client.ts';
import { createCore } from './core-program.ts';
import { withClient } from './namespace-run.ts';
import type { Target } from './target.ts';

export interface ManyNamespacesOptions {
  readonly namespaces: number;
  readonly objectsEach: number;
  /** How many are deleted in each of the two stores, in turns. */
  readonly samples: number;
  readonly onProgress?: (line: string) => void;
}

export interface DeletionTimes {
  /** From the request until the namespace is not found any more, in milliseconds. */
  readonly full: readonly number[];
  readonly empty: readonly number[];
  /** Of the control plane whose store is full. It runs until the scope ends. */
  readonly fullPid: number;
}

/** At the same time, each over a connection of its own. */
const FILLERS = 24;
const PROGRESS_EVERY = 500;
const WARM_UP_ROUNDS = 60;
const QUIET = { withinMs: 300_000, everyMs: 100 };
const DELETION = { withinMs: 60_000, everyMs: 2 };
const DATA = { text: 'x'.repeat(200) };

export async function measureDeletions(
  scope: TestScope,
  options: ManyNamespacesOptions,
): Promise<DeletionTimes> {
  const { namespaces, samples, onProgress: _silent, ...few } = options;
  const full = await startedCore(scope);
  const empty = await startedCore(scope);
  await fill(full, options);
  // A server that has just answered 100,000 requests is compiled better than one that has answered none.
  for (const target of [full, empty]) await warmUp(target, options.objectsEach);
  await fill(empty, { ...few, samples, namespaces: samples });
  const times = { full: [] as number[], empty: [] as number[] };
  const step = Math.max(1, Math.floor(namespaces / samples));
  for (let sample = 0; sample < samples; sample += 1) {
    // From all over the store.
    times.full.push(await deletionMs(full, nameOf(sample * step)));
    times.empty.push(await deletionMs(empty, nameOf(sample)));
  }
  return { ...times, fullPid: full.pid };
}

async function startedCore(scope: TestScope): Promise<Target> {
  const { target } = await createCore(scope);
  await target.start();
  return target;
}

/** Makes and deletes namespaces, of which nothing is left. */
async function warmUp(target: Target, objectsEach: number): Promise<void> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    const name = `warm-${round}`;
    await withClient(target, 'warming up', (client) => fillOne(client, name, objectsEach));
    await deletionMs(target, name);
  }
}

/** Resolves when the controllers have put into every namespace what belongs there, too. */
async function fill(target: Target, options: ManyNamespacesOptions): Promise<void> {
  const { namespaces, objectsEach, onProgress } = options;
  const startedMs = performance.now();
  const turns = Array.from({ length: namespaces }, (_, index) => index).values();
  await Promise.all(
    Array.from({ length: FILLERS }, (_, number) =>
      withClient(target, `filler ${number}`, async (client) => {
        for (const index of turns) {
          await fillOne(client, nameOf(index), objectsEach);
          if ((index + 1) % PROGRESS_EVERY !== 0) continue;
          const seconds = Math.round((performance.now() - startedMs) / 1000);
          onProgress?.(`${index + 1} of ${namespaces} namespaces, ${seconds} s`);
        }
      }),
    ),
  );
  await withClient(target, 'settling', (client) => waitUntilQuiet(client, options));
}

async function fillOne(client: ApiClient, name: string, objects: number): Promise<void> {
  await expect(201, client.send('POST', '/api/v1/namespaces', { metadata: { name } }));
  for (let index = 0; index < objects; index += 1) {
    const object = { metadata: { name: `object-${index}` }, data: DATA };
    await expect(201, client.send('POST', `/api/v1/namespaces/${name}/configmaps`, object));
  }
}

async function waitUntilQuiet(client: ApiClient, options: ManyNamespacesOptions): Promise<void> {
  const { namespaces, objectsEach } = options;
  const isSettled = async () =>
    (await count(client, 'serviceaccounts')) >= namespaces &&
    (await count(client, 'configmaps')) >= namespaces * (objectsEach + 1);
  await eventually('the controllers come to an end', isSettled, QUIET);
}

async function count(client: ApiClient, plural: string): Promise<number> {
  const { body } = await expect(200, client.send('GET', `/api/v1/${plural}?limit=1`));
  const { items, metadata } = body as {
    items: unknown[];
    metadata: { remainingItemCount?: number };
  };
  return items.length + (metadata.remainingItemCount ?? 0);
}

function deletionMs(target: Target, name: string): Promise<number> {
  const path = `/api/v1/namespaces/${name}`;
  return withClient(target, 'deleting', async (client) => {
    await expect(200, client.send('GET', path)); // So that the connection is there.
    const startedMs = performance.now();
    await expect(200, client.send('DELETE', path));
    const isGone = async () => (await client.send('GET', path)).status === 404;
    await eventually(`the namespace ${name} is gone`, isGone, DELETION);
    return performance.now() - startedMs;
  });
}

async function expect(status: number, sent: Promise<Reply>): Promise<Reply> {
  const reply = await sent;
  if (reply.status === status) return reply;
  throw new Error(`${reply.status} instead of ${status}: ${JSON.stringify(reply.body)}`);
}

function nameOf(index: number): string {
  return `many-${String(index).padStart(6, '0')}`;
}
