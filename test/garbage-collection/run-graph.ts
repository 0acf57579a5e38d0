/** Makes a graph on a control plane, deletes from it, and compares what is left with the model. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually, eventuallySucceeds, type SeededRandom } from '../harness/index.ts';
import { collectionPath, customKinds, type TestKind } from './kinds.ts';
import { type Deletion, finalGraph, type ModelGraph, type ModelObject } from './model.ts';
import { ABSENT, randomDeletions, randomGraph } from './random-graph.ts';

/** A control plane with servers behind it, asked as its administrator. Requests that get no answer throw. */
export interface GraphSite {
  readonly kinds: readonly TestKind[];
  send(
    method: string,
    path: string,
    body?: object,
    contentType?: string,
  ): Promise<{ readonly status: number; readonly body: unknown }>;
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Makes the control plane serve the custom kinds, and waits until it does. */
export async function defineCustomKinds(site: Pick<GraphSite, 'send'>): Promise<void> {
  for (const kind of customKinds) {
    const [group = '', version = ''] = kind.apiVersion.split('/');
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    await responded(site, 'POST', DEFINITIONS, [201], {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${kind.plural}.${group}` },
      spec: {
        group,
        scope: kind.namespaced ? 'Namespaced' : 'Cluster',
        names: { kind: kind.kind, plural: kind.plural },
        versions: [
          { name: version, served: true, storage: true, schema: { openAPIV3Schema: schema } },
        ],
      },
    });
    await responded(site, 'GET', collectionPath(kind, ''), [200]);
  }
}

export interface RoundOptions {
  /** Within how much time all of it must be as the model says. */
  readonly withinMs: number;
  /** Runs meanwhile. */
  readonly disturb?: ((round: number, deletions: UnderWay) => Promise<void>) | undefined;
  /** Told when a part of it was right. */
  readonly onEvent?: (what: string) => void;
}

/** The deletions of a round. */
export interface UnderWay {
  readonly count: number;
  /** Resolves when so many of them are acknowledged. */
  acknowledged(count: number): Promise<void>;
}

export interface RunOptions extends RoundOptions {
  readonly size: number;
  readonly rounds: number;
  readonly deletions: number;
  /** See `GraphWish`. */
  readonly undecidedOwnNothing?: boolean;
}

const NAMESPACES = ['gc-here', 'gc-there'];
const LABEL = 'gc-run';
const RESPONSE = { withinMs: 60_000, everyMs: 50 };
const ABSENT_UID = '00000000-0000-4000-8000-000000000000';

interface Run {
  readonly site: GraphSite;
  readonly seed: string;
  readonly uids: Map<string, string>;
  readonly kindOf: (object: ModelObject) => TestKind;
  readonly random: SeededRandom;
}

/** A random graph, and random deletions from it. */
export function runGraph(
  site: GraphSite,
  random: SeededRandom,
  options: RunOptions,
): Promise<void> {
  const { size, rounds, deletions: count, undecidedOwnNothing } = options;
  const { kinds } = site;
  const namespaces = namespacesOf(random);
  const graph = randomGraph(random, { kinds, namespaces, size, undecidedOwnNothing });
  const choose = (left: ModelGraph, round: number) =>
    round > rounds || left.size === 0 ? undefined : randomDeletions(random, left, count);
  return runRounds(site, { random, graph, choose }, options);
}

export interface Rounds {
  /** Names the objects, too. */
  readonly random: SeededRandom;
  readonly graph: ModelGraph;
  /** Chooses the next concurrent deletions from the remaining objects; undefined ends the run. */
  readonly choose: (left: ModelGraph, round: number) => readonly Deletion[] | undefined;
}

/** Makes the graph, and compares with the model before the first deletions and after each round of them. */
export async function runRounds(
  site: GraphSite,
  { random, graph: requestedSpec, choose }: Rounds,
  { withinMs, disturb, onEvent }: RoundOptions,
): Promise<void> {
  const byKind = new Map(site.kinds.map((kind) => [kind.kind, kind]));
  const run: Run = {
    site,
    seed: `${LABEL}-${random.seed}`,
    uids: new Map([[ABSENT, ABSENT_UID]]),
    kindOf: ({ kind }) => byKind.get(kind) as TestKind,
    random,
  };
  for (const name of namespacesOf(random)) {
    await responded(site, 'POST', '/api/v1/namespaces', [201, 409], { metadata: { name } });
  }
  await makeAll(run, requestedSpec);
  let graph = finalGraph(requestedSpec, []);
  await untilEqual(run, graph, { withinMs, after: 'everything was made' });
  onEvent?.(`${requestedSpec.size} objects were made, ${graph.size} of them stay`);
  for (let round = 1; ; round += 1) {
    const left = graph;
    const deletions = choose(left, round);
    if (deletions === undefined) return;
    const removing = deletions.map((deletion) => removeOne(run, left, deletion));
    await Promise.all([...removing, disturb?.(round, underWay(removing))]);
    graph = finalGraph(left, deletions);
    await untilEqual(run, graph, { withinMs, after: JSON.stringify(deletions) });
    onEvent?.(`round ${round}: ${graph.size} objects stay`);
  }
}

function underWay(removing: readonly Promise<void>[]): UnderWay {
  return {
    count: removing.length,
    async acknowledged(count) {
      if (count === 0) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      let left = Math.min(count, removing.length);
      const one = (): void => {
        left -= 1;
        if (left === 0) resolve();
      };
      for (const removed of removing) removed.then(one, reject);
      await promise;
    },
  };
}

/** Where the objects of a run are. */
export function namespacesOf({ seed }: SeededRandom): string[] {
  return NAMESPACES.map((name) => `${name}-${seed}`);
}

async function makeAll(run: Run, graph: ModelGraph): Promise<void> {
  for (const object of graph.values()) {
    const { namespace, name } = object;
    const { kind, apiVersion, content } = run.kindOf(object);
    const path = collectionPath(run.kindOf(object), namespace);
    const metadata = {
      name: objectName(run, name),
      ...(namespace !== '' && { namespace }),
      labels: { [LABEL]: run.seed },
      ownerReferences: referencesOf(run, graph, object),
    };
    // A server that has not heard of the namespace yet says 403 or 404.
    const made = { apiVersion, kind, metadata, ...content };
    const body = await responded(run.site, 'POST', path, [201, 409], made);
    run.uids.set(name, uidOf(body));
  }
  for (const object of graph.values()) await closeCircles(run, graph, object);
}

/** Owners that were made after what they own. */
async function closeCircles(run: Run, graph: ModelGraph, object: ModelObject): Promise<void> {
  const order = [...graph.keys()];
  const isLater = (owner: string) => order.indexOf(owner) > order.indexOf(object.name);
  if (!object.owners.some(({ owner }) => isLater(owner))) return;
  const patch = { metadata: { ownerReferences: referencesOf(run, graph, object) } };
  const type = 'application/merge-patch+json';
  // It may be garbage already.
  await responded(run.site, 'PATCH', pathOf(run, object), [200, 404], patch, type);
}

/** As far as their owners were made. */
function referencesOf(run: Run, graph: ModelGraph, { owners }: ModelObject): object[] {
  return owners.flatMap(({ owner, blocks }) => {
    const uid = run.uids.get(owner);
    if (uid === undefined) return [];
    const found = graph.get(owner);
    if (found === undefined) {
      const name = objectName(run, owner);
      return [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion: blocks }];
    }
    const { kind, apiVersion, otherVersions = [] } = run.kindOf(found);
    const spelling = run.random.pick([apiVersion, ...otherVersions]);
    const name = objectName(run, owner);
    return [{ apiVersion: spelling, kind, name, uid, blockOwnerDeletion: blocks }];
  });
}

async function removeOne(run: Run, graph: ModelGraph, deletion: Deletion): Promise<void> {
  const object = graph.get(deletion.name);
  assert.ok(object);
  const uid = run.uids.get(deletion.name);
  const body = { propagationPolicy: deletion.policy, preconditions: { uid } };
  // An answer that was lost may have been the one that it is gone.
  await responded(run.site, 'DELETE', pathOf(run, object), [200, 404], body);
}

function pathOf(run: Run, object: ModelObject): string {
  return `${collectionPath(run.kindOf(object), object.namespace)}/${objectName(run, object.name)}`;
}

/** Some kinds have no namespaces, and there may be other runs. */
function objectName({ seed }: Run, name: string): string {
  return `${seed}-${name}`;
}

async function untilEqual(
  run: Run,
  graph: ModelGraph,
  { withinMs, after }: { readonly withinMs: number; readonly after: string },
): Promise<void> {
  const wanted = [...graph.values()].map((object) => lineOf(object)).sort();
  const compare = async () => assert.deepEqual(await present(run), wanted, `after ${after}`);
  await eventuallySucceeds(compare, { withinMs, everyMs: 50 });
  // A correct state must stay correct.
  await passCollector(run.site);
  await eventually('every server answers', async () => (await present(run)) !== undefined);
  await compare();
}

const MARKERS = 2;

/**
 * Returns when the collector has dealt with what it knew before: objects without an owner go the same way through it,
 * and are gone, one after the other.
 */
export async function passCollector(site: Pick<GraphSite, 'send'>): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps';
  for (let marker = 0; marker < MARKERS; marker += 1) {
    const uid = randomUUID();
    const name = `marker-${uid}`;
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'absent', uid };
    const metadata = { name, ownerReferences: [owner] };
    await responded(site, 'POST', path, [201, 409], { metadata });
    await responded(site, 'GET', `${path}/${name}`, [404]);
  }
}

function lineOf({ kind, name, owners }: ModelObject): string {
  return `${kind} ${name} < ${owners
    .map(({ owner }) => owner)
    .sort()
    .join(' ')}`.trim();
}

interface FoundObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
}

/** Undefined when a server does not respond. */
async function present(run: Run): Promise<string[] | undefined> {
  const names = new Map([...run.uids].map(([name, uid]) => [uid, name]));
  const lines: string[] = [];
  for (const kind of run.site.kinds) {
    const path = `${collectionPath(kind, '')}?labelSelector=${LABEL}%3D${run.seed}`;
    const response = await run.site.send('GET', path).catch(() => undefined);
    if (response?.status !== 200) return undefined;
    const { items } = response.body as { readonly items: readonly FoundObject[] | null };
    for (const { metadata } of items ?? []) {
      const owners = (metadata.ownerReferences ?? []).map(({ uid }) => names.get(uid) ?? uid);
      const name = names.get(metadata.uid) ?? metadata.name;
      const going = metadata.deletionTimestamp === undefined ? '' : ' (is being deleted)';
      lines.push(`${`${kind.kind} ${name} < ${owners.sort().join(' ')}`.trim()}${going}`);
    }
  }
  return lines.sort();
}

/** Servers may be killed at any time: a request is repeated until it is answered as it should be. */
async function responded(
  { send }: Pick<GraphSite, 'send'>,
  method: string,
  path: string,
  wanted: readonly number[],
  body?: object,
  contentType?: string,
): Promise<unknown> {
  let last: { readonly status: number; readonly body: unknown } | undefined;
  const tried = async () => {
    last = await send(method, path, body, contentType).catch((error: unknown) => ({
      status: 0,
      body: String(error),
    }));
    return wanted.includes(last.status) ? last : undefined;
  };
  const what = () => `${method} ${path}: ${last?.status} ${JSON.stringify(last?.body)}`;
  const response = await eventually(what, tried, RESPONSE);
  if (response.status !== 409) return response.body;
  const { metadata } = (body ?? {}) as { metadata?: { name?: string } };
  return responded({ send }, 'GET', `${path}/${metadata?.name ?? ''}`, [200, 404]);
}

function uidOf(body: unknown): string {
  return (body as FoundObject).metadata.uid;
}
