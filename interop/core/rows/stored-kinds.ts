/** The kinds that are only stored, all by the same rows; what each sends is in stored-samples. */
import { isObject, type JsonObject } from '../../differential/json.ts';
import type { Row, RowGroup, Step } from '../../differential/row.ts';
import { groupOf, type Kind } from '../kinds.ts';
import { storedKinds } from '../stored-kinds.ts';
import { podBindings } from './pods-binding.ts';
import { podEvictions } from './pods-eviction.ts';
import { podParts } from './pods-parts.ts';
import { podStreams } from './pods-streams.ts';
import { proxies } from './services-proxy.ts';
import { type StoredSample, storedSamples } from './stored-samples.ts';
import {
  apply,
  collection,
  creates,
  get,
  given,
  list,
  OF_THE_ROW,
  object,
  patch,
  pathOf,
  post,
  put,
  remove,
  row,
  TABLE,
  watch,
} from './words.ts';

const table = { headers: { accept: TABLE } };

/** One group of rows, and one file of answers, per API group. */
export const storedGroups: readonly RowGroup[] = [
  ...[...new Set(storedKinds.map(groupOf))].map((group) => ({
    name: `stored-${group.split('.')[0] || 'core'}`,
    rows: storedKinds
      .filter((kind) => groupOf(kind) === group)
      .flatMap((kind) => rowsOf(kind, sampleOf(kind))),
  })),
  podBindings,
  podEvictions,
  podStreams,
  podParts,
  proxies,
];

function sampleOf({ plural }: Kind): StoredSample {
  const sample = storedSamples[plural];
  if (sample === undefined) throw new Error(`no sample of ${plural}`);
  return sample;
}

function rowsOf(kind: Kind, sample: StoredSample): Row[] {
  const rows = [
    ...createRows(kind, sample),
    ...readRows(kind, sample),
    ...writeRows(kind, sample),
    ...(sample.status ? [statusRow(kind, sample.minimal, sample.status)] : []),
    ...(sample.scaled ? [scaleRow(kind, sample.minimal)] : []),
    ...(sample.older ? olderRows(kind, sample, sample.older) : []),
    ...removeRows(kind, sample),
  ];
  const needed = needs(sample);
  return rows.map((one) => ({ ...one, steps: [...needed, ...one.steps] }));
}

/** Objects that must exist before. */
function needs({ serviceAccount }: StoredSample): Step[] {
  if (serviceAccount === undefined) return [];
  const path = '/api/v1/namespaces/{ns}/serviceaccounts';
  const body = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: serviceAccount },
  };
  return [{ name: 'account', method: 'POST', path, body, setup: true }];
}

function createRows(kind: Kind, { minimal, full, refused = {} }: StoredSample): Row[] {
  const create = (fields: JsonObject) => post(kind, object(kind, fields));
  return [
    row(kind, 'create', 'the least, with its defaults', create(minimal), get(kind)),
    row(kind, 'create', 'many fields', create(full), get(kind, table)),
    ...creates(kind, {
      'without any field': {},
      'with a bad name': { ...minimal, metadata: { name: 'Bad_Name' } },
      ...refused,
    }),
  ];
}

function readRows(kind: Kind, { minimal, full }: StoredSample): Row[] {
  return [
    row(kind, 'get', 'a missing object', get(kind)),
    row(
      kind,
      'list',
      'as a Table, of nothing and of two',
      list(kind, { ...table, name: 'empty' }),
      given(kind, full),
      given(kind, minimal, 'b'),
      list(kind, table),
    ),
    row(kind, 'list', 'by label', given(kind, minimal), list(kind)),
    row(kind, 'list', 'by an unknown field', list(kind, { query: { fieldSelector: 'spec.x=1' } })),
    row(
      kind,
      'watch',
      'one that comes',
      given(kind, minimal),
      watch(kind, { during: [given(kind, minimal, 'b')], events: 1 }),
    ),
  ];
}

function writeRows(kind: Kind, { minimal, change, strategic, retained = {} }: StoredSample): Row[] {
  const before = given(kind, minimal);
  return [
    row(kind, 'update', 'a change', before, put(kind, merged(minimal, change)), get(kind)),
    row(
      kind,
      'update',
      'without a resourceVersion',
      before,
      put(kind, {}, { body: object(kind, merged(minimal, change)) }),
    ),
    row(kind, 'update', 'of a missing object', put(kind, {}, { body: object(kind, minimal) })),
    ...Object.entries(retained).map(([name, fields]) =>
      row(kind, 'update', name, before, put(kind, merged(minimal, fields))),
    ),
    row(kind, 'patch', 'merge', before, patch(kind, 'merge', change)),
    row(kind, 'patch', 'strategic', before, patch(kind, 'strategic', strategic ?? change)),
    row(
      kind,
      'patch',
      'apply creates and changes',
      apply(kind, minimal, { name: 'first' }),
      apply(kind, merged(minimal, change)),
    ),
  ];
}

function statusRow(kind: Kind, minimal: JsonObject, status: JsonObject): Row {
  const path = `${pathOf(kind)}/status`;
  return row(
    kind,
    'update',
    'of the status',
    given(kind, minimal),
    patch(kind, 'merge', { status }, { path }),
    get(kind, table),
  );
}

function scaleRow(kind: Kind, minimal: JsonObject): Row {
  const path = `${pathOf(kind)}/scale`;
  return row(
    kind,
    'update',
    'of the scale',
    given(kind, minimal),
    get(kind, { path }),
    patch(kind, 'merge', { spec: { replicas: 6 } }, { path }),
    patch(kind, 'merge', { spec: { replicas: -6 } }, { name: 'negative', path }),
    get(kind, { name: 'after' }),
  );
}

/** The same objects in a version that says less. */
function olderRows(
  kind: Kind,
  { full, status = {} }: StoredSample,
  { version, minimal, change }: NonNullable<StoredSample['older']>,
): Row[] {
  const older = { ...kind, apiVersion: version };
  return [
    row(kind, 'create', `in ${version}`, post(older, object(older, minimal)), get(kind)),
    row(
      kind,
      'get',
      `in ${version}`,
      given(kind, full),
      patch(kind, 'merge', { status }, { path: `${pathOf(kind)}/status`, setup: true }),
      get(older),
      get(older, { ...table, name: 'table' }),
    ),
    row(
      kind,
      'patch',
      `in ${version}`,
      given(kind, full),
      patch(older, 'merge', change),
      get(kind),
    ),
  ];
}

function removeRows(kind: Kind, { minimal }: StoredSample): Row[] {
  const background = { propagationPolicy: 'Background' };
  return [
    row(kind, 'delete', 'an object', given(kind, minimal), remove(kind)),
    row(
      kind,
      'delete',
      'in the background',
      given(kind, minimal),
      remove(kind, { query: background }),
      get(kind),
    ),
    row(
      kind,
      'deletecollection',
      'by label',
      given(kind, minimal),
      {
        name: 'clear',
        method: 'DELETE',
        path: collection(kind),
        query: { ...OF_THE_ROW, ...background },
      },
      list(kind),
    ),
  ];
}

/** A merge patch of an object, without removals. */
function merged(into: JsonObject, change: JsonObject): JsonObject {
  const result: Record<string, JsonObject[string]> = { ...into };
  for (const [key, value] of Object.entries(change)) {
    const before = into[key];
    result[key] = isObject(value) && isObject(before) ? merged(before, value) : value;
  }
  return result;
}
