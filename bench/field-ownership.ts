/**
 * What does it cost to know who owns which field: the same update of an object that nobody tracks, and of one with
 * the fields of 10 and of 100 appliers?
 *
 * A write goes the way of a PUT from its decoded body to the memory store: ownership, strategy, validation, encoding,
 * commit. Bare bodies say nothing of managedFields; whole ones bring them along, as those of programs do that read an
 * object, change it and send it back. Usage: node bench/field-ownership.ts [milliseconds per measurement]
 */
import { type KubeObject, parseJson } from '@tributary/apimachinery';
import { defineApi, defineResource, version } from '@tributary/server';
import { openMemoryStorage, systemClock } from '@tributary/storage';
import Type from 'typebox';
import { anonymous } from '../packages/server/src/filters/authentication.ts';
import { serveResources } from '../packages/server/src/serve-resources.ts';
import type { StoredResource } from '../packages/server/src/served-resource.ts';
import { openWatchCaches } from '../packages/server/src/watch-cache/watch-caches.ts';
import { median } from './benchmark.ts';

const FOR_MS = Number(process.argv[2] ?? 400);
const ROUNDS = 7;
const PER_BATCH = 64;
const BUDGETS: ReadonlyMap<number, number> = new Map([
  [10, 1.5],
  [100, 4],
]);

const text = Type.String();
const Container = Type.Object({
  name: text,
  image: text,
  args: Type.Optional(Type.Array(text)),
  env: Type.Optional(
    Type.Array(Type.Object({ name: text, value: text }), {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }),
  ),
});
const Deployment = defineResource({
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
  versions: {
    v1: version({
      spec: Type.Object({
        replicas: Type.Integer(),
        selector: Type.Record(text, text),
        containers: Type.Array(Container, {
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        }),
      }),
    }),
  },
});
const api = defineApi({ group: 'bench.example.com', resources: [Deployment] });

/** About 1.5 KB. */
function manifest(name: string): KubeObject {
  const env = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ name: `SETTING_${n}`, value: `value of ${n}` }));
  return {
    apiVersion: 'bench.example.com/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace: 'bench',
      labels: { app: name, tier: 'front', 'app.kubernetes.io/managed-by': 'bench' },
      annotations: { note: 'x'.repeat(200), changed: '0' },
    },
    spec: {
      replicas: 3,
      selector: { app: name },
      containers: [
        {
          name: 'web',
          image: 'registry.example.com/web:1.2.3',
          args: ['--port=8080'],
          env: env(8),
        },
        { name: 'log', image: 'registry.example.com/log:4.5.6', args: ['--follow'], env: env(6) },
      ],
    },
  };
}

/** What the n-th applier wants: what the object has already, so that all own it together. */
function configuration(name: string, applier: number): KubeObject {
  return {
    apiVersion: 'bench.example.com/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'bench', labels: { app: name } },
    spec: {
      selector: { app: name },
      containers: [
        {
          name: 'web',
          env: [{ name: `SETTING_${applier % 8}`, value: `value of ${applier % 8}` }],
        },
      ],
    },
  };
}

const { signal } = new AbortController();
const context = { user: anonymous, dryRun: false, signal, warn: () => {} };
const storage = openMemoryStorage();
const caches = openWatchCaches(storage);
const { routes } = serveResources(api, {
  storage,
  caches,
  clock: systemClock,
  watch: { clock: systemClock, minRequestTimeoutMs: 1800_000, random: Math.random },
  authorize: () => ({ allowed: true }),
});
const [route] = routes;
if (route === undefined) throw new Error('nothing is served');
const { store, ownership } = route.served as StoredResource;

interface Subject {
  readonly name: string;
  readonly bytes: number;
  /** Bodies to send in turn, so that each of them changes something. */
  readonly bodies: readonly Uint8Array[];
}

/** An object that some appliers share, and what a controller sends to change one field of it. */
async function prepare(name: string, appliers: number, whole: boolean): Promise<Subject> {
  const at = { namespace: 'bench', name };
  const sent = manifest(name);
  await store.create(appliers > 0 ? ownership.track(undefined, sent, 'creator') : sent, context);
  let live = sent;
  for (let applier = 0; applier < appliers; applier += 1) {
    const options = { manager: `applier-${applier}`, force: true };
    const config = configuration(name, applier);
    const change = (stored: KubeObject) => ownership.apply(stored, config, options);
    live = (await store.update(at, change, context)).object();
  }
  const { managedFields = [], resourceVersion: _seen, ...metadata } = live.metadata;
  if (managedFields.length < appliers) throw new Error(`${managedFields.length} managers`);
  const bodies = ['1', '2'].map((changed) => {
    const annotations = { ...metadata.annotations, changed };
    const next = { ...metadata, annotations, ...(whole && { managedFields }) };
    return Buffer.from(JSON.stringify({ ...live, metadata: next }));
  });
  return { name, bytes: Buffer.byteLength(JSON.stringify({ ...live, metadata })), bodies };
}

/** Microseconds of this process for an update, without the decoding of its body, which belongs to the request. */
async function measure({ name, bodies }: Subject, forMs: number): Promise<number> {
  const at = { namespace: 'bench', name };
  const end = performance.now() + forMs;
  let [count, microseconds] = [0, 0];
  while (performance.now() < end) {
    const decoded = Array.from(
      { length: PER_BATCH },
      (_, n) => parseJson(bodies[n % bodies.length] as Uint8Array) as KubeObject,
    );
    const before = process.cpuUsage();
    for (const next of decoded) {
      const change = (live: KubeObject) => {
        next.metadata.resourceVersion = live.metadata.resourceVersion ?? '';
        return ownership.track(live, next, 'controller');
      };
      await store.update(at, change, context);
    }
    const { user, system } = process.cpuUsage(before);
    count += PER_BATCH;
    microseconds += user + system;
  }
  return microseconds / count;
}

const untracked = await prepare('untracked', 0, false);
console.log(`an object of ${untracked.bytes} bytes without managedFields`);
for (const [appliers, budget] of BUDGETS) {
  for (const body of ['bare', 'whole'] as const) {
    const tracked = await prepare(`${body}-${appliers}`, appliers, body === 'whole');
    for (const subject of [untracked, tracked]) await measure(subject, FOR_MS);
    const rounds: { without: number; with: number }[] = [];
    // Rounds alternate, so that whatever else the machine does hits both.
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({
        without: await measure(untracked, FOR_MS),
        with: await measure(tracked, FOR_MS),
      });
    }
    const ratio = median(rounds.map((one) => one.with / one.without));
    const cost = median(rounds.map((one) => one.with));
    console.log(
      `${String(appliers).padStart(3)} managers, ${body.padEnd(5)} body: ${ratio.toFixed(2)}× of the untracked ` +
        `update (${cost.toFixed(0)} µs; budget ≤ ${budget}×)`,
    );
  }
}
await caches.close();
