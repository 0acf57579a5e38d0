/**
 * The cost of tracking field ownership: the same update of an object without managed fields, and of one with the
 * fields of 10 and of 100 appliers.
 *
 * A write takes the path of a PUT from its decoded body to the memory store: ownership, strategy, validation,
 * encoding, commit. Bare bodies omit managedFields; whole ones contain them, as those of programs that read an
 * object, change it and send it back. Without tracking the same bytes are written, with unchanged managedFields.
 *
 * Usage: node bench/field-ownership.ts [rounds]
 */
import { type KubeObject, parseJson } from '@tributary/apimachinery';
import { defineApi, defineResource, version } from '@tributary/server';
import { type Clock, openMemoryStorage, systemClock } from '@tributary/storage';
import Type from 'typebox';
import type { Written } from '../packages/server/src/registry/resource-store.ts';
import type { StoredResource } from '../packages/server/src/representation/served-resource.ts';
import { anonymous } from '../packages/server/src/request/authenticator.ts';
import { serveResources } from '../packages/server/src/routing/serve-resources.ts';
import { openWatchCaches } from '../packages/server/src/watch-cache/watch-caches.ts';
import { median } from './benchmark.ts';

const ROUNDS = Number(process.argv[2] ?? 60);
/** A server has warmed up long before an object has many managers. */
const WARM_UP_ROUNDS = 60;
const PER_BATCH = 25;
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

/** The configuration of the n-th applier. All appliers set the same values, so all own the fields. */
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

/** A second passes between writes, so that each write changes the time of its manager. */
let nowMs = Date.UTC(2026, 0, 1);
const clock: Clock = {
  ...systemClock,
  nowMs: () => {
    nowMs += 1000;
    return nowMs;
  },
};
const { signal } = new AbortController();
const context = { user: anonymous, dryRun: false, signal, warn: () => {} };
const storage = openMemoryStorage({ historyRevisionsMax: 100 });
const caches = openWatchCaches(storage);
const { routes } = serveResources([api], () => [api], {
  storage,
  caches,
  clock,
  watch: { clock: systemClock, minRequestTimeoutMs: 1800_000, random: Math.random },
  authorize: () => ({ allowed: true }),
});
const route = routes.find({
  group: api.group,
  version: Deployment.storageVersion,
  resource: Deployment.plural,
});
if (route === undefined) throw new Error('nothing is served');
const { store, ownership } = route.served as StoredResource;

interface Subject {
  readonly name: string;
  /** Whether bodies contain managedFields. */
  readonly whole: boolean;
}

/** An object that several appliers own. */
async function prepare(name: string, appliers: number, whole: boolean): Promise<Subject> {
  const at = { namespace: 'bench', name };
  const sent = manifest(name);
  const owned = appliers > 0 ? await ownership.track(undefined, sent, 'creator') : sent;
  await store.create(owned, context);
  for (let applier = 0; applier < appliers; applier += 1) {
    const options = { manager: `applier-${applier}`, force: true };
    const config = configuration(name, applier);
    await store.update(at, (live) => ownership.apply(live, config, options), context);
  }
  return { name, whole };
}

type Change = (live: KubeObject, next: KubeObject) => Promise<KubeObject>;

const track: Change = (live, next) => ownership.track(live, next, 'controller');

/** The same write of the same bytes, without ownership tracking. */
const carryAlong: Change = async ({ metadata: { managedFields } }, next) =>
  managedFields ? { ...next, metadata: { ...next.metadata, managedFields } } : next;

let changes = 0;

/**
 * Microseconds per update. The body is the previous object with another annotation, and is decoded beforehand,
 * because decoding belongs to the request.
 */
async function measure({ name, whole }: Subject, change: Change): Promise<number[]> {
  const at = { namespace: 'bench', name };
  let written = await store.update(at, async (stored) => stored, context);
  const spent: number[] = [];
  for (let count = 0; count < PER_BATCH; count += 1) {
    changes += 1;
    const next = bodyAfter(written, whole);
    const start = performance.now();
    written = await store.update(at, (stored) => change(stored, next), context);
    spent.push(1000 * (performance.now() - start));
  }
  return spent;
}

function bodyAfter({ bytes }: Written, whole: boolean): KubeObject {
  const read = parseJson(bytes) as KubeObject;
  const { managedFields, annotations, ...metadata } = read.metadata;
  const changed = { ...metadata, annotations: { ...annotations, changed: String(changes) } };
  return { ...read, metadata: { ...changed, ...(whole && { managedFields }) } };
}

interface Series {
  readonly what: string;
  readonly budget: number;
  readonly subject: Subject;
  /** Times of all updates. */
  readonly spent: { bare: number[]; untracked: number[]; tracked: number[] };
}

const series: Series[] = [];
for (const [appliers, budget] of BUDGETS) {
  for (const body of ['bare', 'whole'] as const) {
    const subject = await prepare(`${body}-${appliers}`, appliers, body === 'whole');
    const what = `${String(appliers).padStart(3)} managers, ${body.padEnd(5)} body`;
    series.push({ what, budget, subject, spent: { bare: [], untracked: [], tracked: [] } });
  }
}
const nobody = await prepare('nobody', 0, false);
// The subjects alternate in small batches, so that other load of the machine affects all of them.
for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
  for (const { subject, spent } of series) {
    const bare = await measure(nobody, track);
    const untracked = await measure(subject, carryAlong);
    const tracked = await measure(subject, track);
    if (round < 0) continue;
    spent.bare.push(...bare);
    spent.untracked.push(...untracked);
    spent.tracked.push(...tracked);
  }
}
const bytes = JSON.stringify(manifest('nobody')).length;
console.log(`an object of ${bytes} bytes; with the fields of`);
for (const { what, budget, spent } of series) {
  const cost = median(spent.tracked);
  const ratio = cost / median(spent.untracked);
  const toBare = cost / median(spent.bare);
  console.log(
    `${what}: ${cost.toFixed(0)} µs, ${ratio.toFixed(2)}× of the same update without tracking (budget ≤ ${budget}×), ` +
      `${toBare.toFixed(2)}× of one without managedFields`,
  );
}
await caches.close();
