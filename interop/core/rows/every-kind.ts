/** Rows that every stored kind has: each verb, the forms of a body, the forms of an answer. */
import type { Json, JsonObject } from '../../differential/json.ts';
import type { Row } from '../../differential/row.ts';
import type { Kind } from '../kinds.ts';
import {
  apply,
  collection,
  creates,
  get,
  given,
  list,
  nameOf,
  OF_THE_ROW,
  object,
  patch,
  post,
  put,
  ROW_LABEL,
  remove,
  row,
  TABLE,
  watch,
} from './words.ts';

export interface Sample {
  /** The least that the kind accepts beside its metadata. */
  minimal: JsonObject;
  /** Every field that a client may set. */
  full: JsonObject;
  /** `minimal` with a change that an update may make. */
  changed: JsonObject;
  /** The same kind of change, as patches of `full`. */
  merge: JsonObject;
  json: readonly Json[];
  strategic: JsonObject;
  /** The configuration that another manager applies to `minimal`. */
  applied: JsonObject;
  /** Bodies whose JSON does not fit the fields' types. */
  wrongTypes: Readonly<Record<string, JsonObject>>;
  /** Selectors that the kind knows, each matching `full`. */
  fieldSelectors?: readonly string[];
}

export function everyKind(kind: Kind, sample: Sample): Row[] {
  return [
    ...createRows(kind, sample),
    ...readRows(kind, sample),
    ...writeRows(kind, sample),
    ...patchRows(kind, sample),
    ...removeRows(kind, sample),
  ];
}

function createRows(kind: Kind, { minimal, full, wrongTypes }: Sample): Row[] {
  const create = post(kind, object(kind, minimal));
  const anonymous = { apiVersion: kind.apiVersion, kind: kind.kind, ...minimal };
  const strange = { ...object(kind, minimal), strange: { field: 1 } };
  return [
    row(kind, 'create', 'the least, with its defaults', create, get(kind)),
    row(kind, 'create', 'every field', post(kind, object(kind, full)), get(kind)),
    row(kind, 'create', 'twice', given(kind, minimal), create),
    row(kind, 'create', 'as a dry run', { ...create, query: { dryRun: 'All' } }, get(kind)),
    row(kind, 'create', 'as a Table', { ...create, headers: { accept: TABLE } }),
    row(kind, 'create', 'without a name', post(kind, { ...anonymous, metadata: {} })),
    row(
      kind,
      'create',
      'with a generated name',
      post(kind, { ...anonymous, metadata: { generateName: nameOf(kind, 'a-') } }),
    ),
    ...creates(kind, {
      'with a bad name': { ...minimal, metadata: { name: nameOf(kind, 'Bad/Name') } },
      'with a bad label': { ...minimal, metadata: { labels: { 'bad label': '-' } } },
    }),
    row(
      kind,
      'create',
      'of another kind',
      post(kind, { ...(create.body as JsonObject), kind: 'Pod' }),
    ),
    row(kind, 'create', 'with an unknown field', post(kind, strange)),
    row(
      kind,
      'create',
      'with an unknown field, refused',
      post(kind, strange, { query: { fieldValidation: 'Strict' } }),
    ),
    ...creates(kind, wrongTypes),
  ];
}

function readRows(kind: Kind, { minimal, full, fieldSelectors = [] }: Sample): Row[] {
  const two = [given(kind, full), given(kind, minimal, 'b')];
  const table = { headers: { accept: TABLE } };
  return [
    row(kind, 'get', 'a missing object', get(kind)),
    row(kind, 'get', 'as a Table', given(kind, full), get(kind, table)),
    row(kind, 'list', 'by label', ...two, list(kind)),
    row(kind, 'list', 'as a Table', ...two, list(kind, table)),
    row(
      kind,
      'list',
      'as a Table with objects',
      given(kind, minimal),
      list(kind, { ...table, query: { ...OF_THE_ROW, includeObject: 'Object' } }),
    ),
    ...[`metadata.name=${nameOf(kind, 'a')}`, ...fieldSelectors].map((fieldSelector) =>
      row(
        kind,
        'list',
        `by ${fieldSelector.split('=')[0]}`,
        ...two,
        list(kind, { query: { ...OF_THE_ROW, fieldSelector } }),
      ),
    ),
    row(kind, 'list', 'by an unknown field', list(kind, { query: { fieldSelector: 'spec.x=1' } })),
    row(
      kind,
      'watch',
      'a life',
      given(kind, minimal),
      watch(kind, {
        during: [
          given(kind, minimal, 'b'),
          patch(kind, 'merge', { metadata: { labels: { x: 'y' } } }, { setup: true }),
          remove(kind, { setup: true }),
        ],
        events: 3,
      }),
    ),
  ];
}

function writeRows(kind: Kind, { minimal, full, changed }: Sample): Row[] {
  const before = given(kind, minimal);
  return [
    row(kind, 'update', 'a change', before, put(kind, changed), get(kind)),
    row(kind, 'update', 'with nothing changed', before, put(kind, minimal)),
    row(kind, 'update', 'to every field', before, put(kind, full)),
    row(
      kind,
      'update',
      'at an old resourceVersion',
      before,
      put(kind, changed, { name: 'first', setup: true }),
      put(kind, minimal),
    ),
    row(
      kind,
      'update',
      'without a resourceVersion',
      before,
      put(kind, {}, { body: object(kind, changed) }),
    ),
    row(kind, 'update', 'of a missing object', put(kind, {}, { body: object(kind, minimal) })),
  ];
}

function patchRows(kind: Kind, sample: Sample): Row[] {
  const { minimal, full, merge, json, strategic, applied } = sample;
  const force = { query: { fieldManager: 'applier', force: 'true' } };
  return [
    row(kind, 'patch', 'merge', given(kind, full), patch(kind, 'merge', merge)),
    row(kind, 'patch', 'JSON', given(kind, full), patch(kind, 'json', json)),
    row(kind, 'patch', 'strategic', given(kind, full), patch(kind, 'strategic', strategic)),
    row(
      kind,
      'patch',
      'apply creates and changes',
      apply(kind, minimal, { name: 'first' }),
      apply(kind, applied),
    ),
    row(kind, 'patch', 'apply beside another', given(kind, minimal), apply(kind, applied)),
    row(kind, 'patch', 'apply by force', given(kind, full), apply(kind, applied, force)),
  ];
}

function removeRows(kind: Kind, { minimal }: Sample): Row[] {
  return [
    row(kind, 'delete', 'an object', given(kind, minimal), remove(kind)),
    row(kind, 'delete', 'a missing object', remove(kind)),
    row(
      kind,
      'delete',
      'with a finalizer',
      given(kind, { ...minimal, metadata: { finalizers: ['example.com/hold'] } }),
      remove(kind),
      patch(kind, 'merge', { metadata: { finalizers: null } }),
    ),
    row(
      kind,
      'delete',
      'with another uid',
      given(kind, minimal),
      remove(kind, { body: { preconditions: { uid: '11111111-2222-4333-8444-555555555555' } } }),
    ),
    row(
      kind,
      'deletecollection',
      'by label',
      given(kind, minimal),
      given(kind, minimal, 'b'),
      {
        name: 'clear',
        method: 'DELETE',
        path: collection(kind),
        query: OF_THE_ROW,
      },
      list(kind),
    ),
  ];
}

/** Labels of `object` stay when a sample sets metadata of its own. */
export function labelled(labels: JsonObject): JsonObject {
  return { labels: { ...ROW_LABEL, ...labels } };
}
