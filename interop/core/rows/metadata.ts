/** Metadata of every kind: names of finalizers, and updates of deleted objects. */
import type { JsonObject } from '../../differential/json.ts';
import type { Row, RowGroup } from '../../differential/row.ts';
import { type Kind, Namespace } from '../kinds.ts';
import { storedKinds } from '../stored-kinds.ts';
import { sampledKinds } from './sampled-kinds.ts';
import { storedSamples } from './stored-samples.ts';
import { get, given, object, patch, post, put, remove, row } from './words.ts';

const samples: readonly (readonly [Kind, JsonObject])[] = [
  ...sampledKinds.map(({ kind, sample }) => [kind, sample.minimal] as const),
  ...storedKinds.flatMap((kind) => {
    const sample = storedSamples[kind.plural];
    // Pods need an account of their namespace first.
    return sample === undefined || sample.serviceAccount ? [] : [[kind, sample.minimal] as const];
  }),
];

export const finalizers: RowGroup = {
  name: 'finalizers',
  rows: samples.flatMap(([kind, fields]) => finalizerRows(kind, fields)),
};

function finalizerRows(kind: Kind, fields: JsonObject): Row[] {
  const called = (...names: string[]): JsonObject => ({ metadata: { finalizers: names } });
  return [
    row(
      kind,
      'create',
      'a finalizer without a domain',
      post(kind, object(kind, { ...fields, ...called('example.com/a', 'hold', 'orphan') })),
    ),
    row(
      kind,
      'patch',
      'a finalizer without a domain',
      given(kind, fields),
      patch(kind, 'merge', called('hold')),
      patch(
        kind,
        'merge',
        { metadata: { finalizers: ['hold'], labels: { 'no label': 'a' } } },
        { name: 'and-label' },
      ),
    ),
  ];
}

/** Namespaces are gone when a controller has emptied them. */
export const updatesOfGone: RowGroup = {
  name: 'updates-of-gone',
  rows: samples
    .filter(([kind]) => kind !== Namespace)
    .map(([kind, fields]) => updateOfGone(kind, fields)),
};

/** As clients do that have read an object, and do not know that it was deleted. */
function updateOfGone(kind: Kind, fields: JsonObject): Row {
  const uid = { uid: '{uid:given-a}' };
  return row(
    kind,
    'update',
    'an object that is gone',
    given(kind, fields),
    remove(kind, { name: 'gone', setup: true, query: { gracePeriodSeconds: '0' } }),
    put(kind, { ...fields, metadata: uid }, { name: 'read-before' }),
    put(kind, { ...fields, metadata: { ...uid, resourceVersion: '' } }, { name: 'of-the-uid' }),
    put(kind, fields, { name: 'of-the-version' }),
    get(kind),
  );
}
