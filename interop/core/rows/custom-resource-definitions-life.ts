/** The life of CustomResourceDefinitions: status, conditions, deletion. */
import type { JsonObject } from '../../differential/json.ts';
import type { Row } from '../../differential/row.ts';
import { version } from './custom-resource-definitions-schemas.ts';
import {
  EARLIER,
  K,
  LATER,
  minimal,
  NO_BUNDLE,
  named,
  ofStatus,
  settled,
  versions,
  webhook,
} from './custom-resource-definitions-words.ts';
import {
  apply,
  collection,
  get,
  list,
  type More,
  object,
  patch,
  pathOf,
  post,
  put,
  ROW_LABEL,
  remove,
  row,
} from './words.ts';

export function statusRows(): Row[] {
  const condition: JsonObject = {
    type: 'Extra',
    status: 'False',
    reason: 'Why',
    message: 'not yet',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
  const status = (more: JsonObject): JsonObject => ({
    ...minimal,
    status: {
      acceptedNames: {
        plural: '{ns}-a',
        singular: 'thinga',
        kind: 'ThingA',
        listKind: 'ThingAList',
      },
      storedVersions: ['v1'],
      conditions: [condition],
      ...more,
    },
  });
  const putStatus = (fields: JsonObject, more: More = {}) =>
    put(K, fields, { ...ofStatus, ...LATER, ...more });
  const rowOf = (name: string, fields: JsonObject) =>
    row(K, 'update', `of the status, ${name}`, ...settled(), putStatus(fields));
  return [
    rowOf('with another condition', status({})),
    rowOf('with everything else changed', {
      ...status({}),
      spec: { scope: 'Cluster' },
      metadata: {
        labels: { x: 'y' },
        annotations: { a: 'b' },
        finalizers: ['example.com/hold'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: '1' }],
      },
    }),
    rowOf('with bad names', status({ acceptedNames: { plural: 'A B', kind: 'C D' } })),
    rowOf('without stored versions', status({ storedVersions: [] })),
    rowOf('with unknown stored versions', status({ storedVersions: ['v8', 'v1', 'v9'] })),
    row(
      K,
      'update',
      'without a version that is stored no more',
      ...settled(versions(version(), version({ name: 'v2', storage: false }))),
      put(K, versions(version({ storage: false }), version({ name: 'v2' })), {
        name: 'migrate',
        ...LATER,
        setup: true,
      }),
      put(
        K,
        {
          ...status({ storedVersions: ['v2'] }),
          metadata: { resourceVersion: '{rv:migrate}' },
        },
        { ...ofStatus, ...LATER, name: 'forget' },
      ),
      put(
        K,
        {
          ...versions(version({ name: 'v2' })),
          metadata: { resourceVersion: '{rv:forget}' },
        },
        LATER,
      ),
    ),
    row(
      K,
      'patch',
      'of the status, merge',
      ...settled(),
      patch(K, 'merge', { status: { storedVersions: ['v1', 'v0'] } }, { ...ofStatus, ...LATER }),
    ),
    row(
      K,
      'patch',
      'of the status, apply',
      ...settled(),
      apply(K, { status: { conditions: [condition] } }, ofStatus),
    ),
  ];
}

/** Conditions that the original's controllers write. */
export function conditionRows(): Row[] {
  const rival = (name: string, until: string, fields: JsonObject, first: JsonObject) =>
    row(
      K,
      'get',
      `one that wants ${name} of another`,
      ...settled(first, { name: 'b' }),
      post(K, object(K, fields), { setup: true }),
      get(K, { until }),
    );
  return [
    rival('the kind', '"ListKindConflict"', named({ kind: 'ThingB' }), minimal),
    rival('the kind of a list', '"ListKindConflict"', named({ listKind: 'ThingB' }), minimal),
    rival('the singular', '"SingularConflict"', named({ singular: 'thingb' }), minimal),
    rival(
      'the short names',
      '"ShortNamesConflict"',
      named({ shortNames: ['new', 'taken', 'thingb'] }),
      named({ shortNames: ['taken'] }, 'b'),
    ),
    rival('the plural', '"PluralConflict"', minimal, named({ shortNames: ['{ns}-a'] }, 'b')),
    rival(
      'everything',
      '"ListKindConflict"',
      named({ singular: 'thingb', kind: 'ThingBList', listKind: 'ThingB', shortNames: ['thingb'] }),
      minimal,
    ),
    row(
      K,
      'get',
      'one whose names another had',
      ...settled(named({ shortNames: ['taken'] }, 'b'), { name: 'b' }),
      ...settled(named({ shortNames: ['taken'], kind: 'ThingB' }), { until: '"ListKindConflict"' }),
      remove(K, { path: pathOf(K, 'b'), setup: true }),
      get(K, { until: '"InitialNamesAccepted"' }),
    ),
    row(
      K,
      'get',
      'one that takes a name that is in use later',
      ...settled(named({ shortNames: ['taken'] }, 'b'), { name: 'b' }),
      ...settled(),
      patch(
        K,
        'merge',
        { spec: { names: { shortNames: ['taken'] } } },
        { ...EARLIER, setup: true },
      ),
      get(K, { until: '"ShortNamesConflict"' }),
    ),
    row(
      K,
      'get',
      'one with a bad bundle',
      ...settled(webhook({}, { caBundle: NO_BUNDLE }), { until: '"InvalidCABundle"' }),
      get(K),
    ),
  ];
}

export function removalRows(): Row[] {
  const held: JsonObject = { ...minimal, metadata: { finalizers: ['example.com/hold'] } };
  return [
    row(K, 'delete', 'an object', ...settled(), remove(K), get(K, { until: 404 })),
    row(
      K,
      'delete',
      'with a finalizer',
      ...settled(held),
      remove(K),
      get(K, { name: 'wait', until: '"InstanceDeletionCompleted"', setup: true }),
      remove(K, { name: 'again', setup: true }),
      patch(K, 'merge', { metadata: { finalizers: null } }, { setup: true }),
      get(K, { until: 404 }),
    ),
    row(K, 'delete', 'as a dry run', ...settled(), remove(K, { query: { dryRun: 'All' } }), get(K)),
    row(
      K,
      'delete',
      'in the foreground',
      ...settled(),
      remove(K, { query: { propagationPolicy: 'Foreground' } }),
    ),
    row(
      K,
      'delete',
      'with another uid',
      ...settled(),
      remove(K, { body: { preconditions: { uid: '11111111-2222-4333-8444-555555555555' } } }),
    ),
    row(
      K,
      'deletecollection',
      'by label',
      ...settled(),
      ...settled(minimal, { name: 'b' }),
      {
        name: 'clear',
        method: 'DELETE',
        path: collection(K),
        query: { labelSelector: `row=${ROW_LABEL.row}` },
      },
      list(K, { until: '"items":[]' }),
    ),
  ];
}
