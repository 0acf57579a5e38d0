/** Steps that write. */
import { collection, nameOf, object, PATCH_TYPES, pathOf } from '../core/rows/words.ts';
import { isObject, type Json, type JsonObject } from '../differential/json.ts';
import { type Drafter, type Given, OBJECTS, somePath, touch } from './reads.ts';

const MANAGERS = ['one', 'two', 'three'] as const;
const FINALIZER = 'example.com/hold';
const OTHER_UID = '11111111-2222-4333-8444-555555555555';

function someObject(given: Given): { readonly name: string; readonly path: string } {
  const { random, player } = given;
  const name = random.chance(0.6) ? 'a' : random.pick(OBJECTS);
  const path = pathOf(player.kind, name);
  touch(given, path);
  return { name, path };
}

/** Random metadata beside the name. */
function someMetadata({ random }: Pick<Given, 'random'>): JsonObject {
  const labels = random.chance(0.4) ? { x: random.pick(['1', '2']) } : {};
  return {
    labels: { row: '{ns}', ...labels },
    ...(random.chance(0.3) && { annotations: { note: random.pick(['m', 'n']) } }),
    ...(random.chance(0.15) && { finalizers: [FINALIZER] }),
  };
}

/** A whole object, with values that were thought of for its kind. */
function wanted(
  given: Given,
  name: string,
  which: readonly ('minimal' | 'full' | 'changed' | 'applied')[],
) {
  const { random, player } = given;
  const { metadata, ...fields } = player.sample[random.pick(which)];
  const own = isObject(metadata) ? metadata : {};
  const some = someMetadata(given);
  const labels = { ...(own.labels as JsonObject), ...(some.labels as JsonObject) };
  return object(player.kind, { ...fields, metadata: { ...own, ...some, labels } }, name);
}

function withMetadata(body: JsonObject, more: JsonObject): JsonObject {
  return { ...body, metadata: { ...(body.metadata as JsonObject), ...more } };
}

/** Options that every write has. */
function options({ random }: Pick<Given, 'random'>): Record<string, string> {
  return {
    ...(random.chance(0.08) && { dryRun: 'All' }),
    ...(random.chance(0.3) && { fieldManager: random.pick(MANAGERS) }),
    ...(random.chance(0.05) && { fieldValidation: random.pick(['Strict', 'Ignore']) }),
  };
}

const create: Drafter = (given) => {
  const { name } = someObject(given);
  return {
    method: 'POST',
    path: collection(given.player.kind),
    query: options(given),
    body: wanted(given, name, ['minimal', 'full', 'changed']),
  };
};

/** One of a prefix: the order of two generated names is chance. */
const createNameless: Drafter = (given) => {
  const { player, name } = given;
  const { name: _name, ...metadata } = wanted(given, 'x', ['minimal', 'full'])
    .metadata as JsonObject;
  const generateName = nameOf(player.kind, `g${name}-`);
  return {
    method: 'POST',
    path: collection(player.kind),
    query: options(given),
    body: { ...wanted(given, 'x', ['minimal']), metadata: { ...metadata, generateName } },
  };
};

/** At the resourceVersion of a step before: the last one mostly, or an older one, or none. */
function atVersion({ random, memory, name }: Given, path: string): JsonObject {
  const steps = (memory.touched.get(path) ?? []).filter((step) => step !== name);
  if (steps.length === 0 || random.chance(0.2)) return {};
  const step = random.chance(0.75) ? steps.at(-1) : random.pick(steps);
  return { resourceVersion: `{rv:${step}}` };
}

const update: Drafter = (given) => {
  const { name, path } = someObject(given);
  const body = wanted(given, name, ['minimal', 'full', 'changed']);
  return {
    method: 'PUT',
    path,
    query: options(given),
    body: withMetadata(body, atVersion(given, path)),
  };
};

const metadataPatches: readonly JsonObject[] = [
  { metadata: { labels: { x: '1' } } },
  { metadata: { labels: { x: '2', y: null } } },
  { metadata: { labels: { x: null } } },
  { metadata: { annotations: { note: 'patched' } } },
  { metadata: { annotations: null } },
  { metadata: { finalizers: null } },
  { metadata: { finalizers: [] } },
  { metadata: { finalizers: [FINALIZER] } },
];

const jsonPatches: readonly Json[] = [
  [{ op: 'add', path: '/metadata/labels/x', value: '1' }],
  [{ op: 'remove', path: '/metadata/labels/x' }],
  [{ op: 'test', path: '/metadata/labels/x', value: '2' }],
  [{ op: 'add', path: '/metadata/annotations', value: { note: 'json' } }],
  [{ op: 'remove', path: '/metadata/finalizers' }],
  [{ op: 'copy', from: '/metadata/name', path: '/metadata/labels/name' }],
];

const patch: Drafter = (given) => {
  const { random, player } = given;
  const { path } = someObject(given);
  const type = random.pick(['merge', 'strategic', 'json'] as const);
  const some = type === 'json' ? jsonPatches : metadataPatches;
  const body = random.chance(0.5) ? player.sample[type] : random.pick(some);
  return {
    method: 'PATCH',
    path,
    query: options(given),
    headers: { 'content-type': PATCH_TYPES[type] },
    body,
  };
};

const apply: Drafter = (given) => {
  const { random } = given;
  const { name, path } = someObject(given);
  const { dryRun } = options(given);
  return {
    method: 'PATCH',
    path,
    query: {
      fieldManager: random.pick(MANAGERS),
      ...(random.chance(0.4) && { force: 'true' }),
      ...(dryRun && { dryRun }),
    },
    headers: { 'content-type': PATCH_TYPES.apply },
    body: wanted(given, name, ['minimal', 'changed', 'applied']),
  };
};

const SCALES: readonly JsonObject[] = [0, 1, 3].map((replicas) => ({ spec: { replicas } }));
const STATUSES: Readonly<Record<string, readonly JsonObject[]>> = {
  services: [{ status: { loadBalancer: {} } }, { status: { conditions: null } }],
  deployments: [
    { status: { replicas: 2, observedGeneration: 1 } },
    { status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 } },
    { spec: { replicas: 9 }, status: { replicas: 0 } },
  ],
};

/** Of a kind that has subresources; otherwise a patch. */
const writeSubresource: Drafter = (given) => {
  const { random, player } = given;
  if (player.subresources.length === 0) return patch(given);
  const part = random.pick(player.subresources);
  const bodies = part === 'scale' ? SCALES : (STATUSES[player.kind.plural] ?? [{}]);
  return {
    method: 'PATCH',
    path: `${somePath(given)}/${part}`,
    query: options(given),
    headers: { 'content-type': PATCH_TYPES[random.pick(['merge', 'strategic'] as const)] },
    body: random.pick(bodies),
  };
};

/** A replacement of the scale says what it is; of anything else, an update. */
const replaceScale: Drafter = (given) => {
  const { random, player } = given;
  if (!player.subresources.includes('scale')) return update(given);
  const { name, path } = someObject(given);
  return {
    method: 'PUT',
    path: `${path}/scale`,
    query: options(given),
    body: {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name, ...atVersion(given, path) },
      spec: { replicas: random.int(0, 4) },
    },
  };
};

const POLICIES = ['Background', 'Foreground', 'Orphan', 'Sometimes'] as const;

const remove: Drafter = (given) => {
  const { random, memory } = given;
  const path = somePath(given);
  const step = memory.touched.get(path)?.at(-1);
  touch(given, path); // It answers with the object when that stays for its finalizers.
  const preconditions: JsonObject = random.pick([
    { uid: OTHER_UID },
    ...(step === undefined ? [] : [{ uid: `{uid:${step}}` }, { resourceVersion: `{rv:${step}}` }]),
  ]);
  const body: JsonObject = {
    ...(random.chance(0.3) && { preconditions }),
    ...(random.chance(0.3) && { propagationPolicy: random.pick(POLICIES) }),
    ...(random.chance(0.1) && { gracePeriodSeconds: random.pick([0, 10]) }),
    ...(random.chance(0.08) && { dryRun: ['All'] }),
  };
  return { method: 'DELETE', path, ...(Object.keys(body).length > 0 && { body }) };
};

const removeMany: Drafter = ({ random, player }) => ({
  method: 'DELETE',
  path: collection(player.kind),
  query: {
    labelSelector: random.pick(['row={ns}', 'row={ns},x=1', 'row={ns},x']),
    ...(random.chance(0.15) && { dryRun: 'All' }),
    ...(random.chance(0.2) && { propagationPolicy: random.pick(POLICIES) }),
  },
});

/** As often as they stand here. */
export const writers: readonly Drafter[] = [
  create,
  create,
  create,
  create,
  createNameless,
  update,
  update,
  update,
  patch,
  patch,
  patch,
  apply,
  apply,
  apply,
  writeSubresource,
  replaceScale,
  remove,
  remove,
  removeMany,
];
