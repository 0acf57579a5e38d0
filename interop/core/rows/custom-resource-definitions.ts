/** CustomResourceDefinitions: what they may say beside their schemas, and how they change. */
import type { JsonObject } from '../../differential/json.ts';
import type { Row, RowGroup } from '../../differential/row.ts';
import { conditionRows, removalRows, statusRows } from './custom-resource-definitions-life.ts';
import { ofField, ofRoot, version } from './custom-resource-definitions-schemas.ts';
import {
  asTable,
  atUrl,
  column,
  EARLIER,
  K,
  LATER,
  minimal,
  NO_BUNDLE,
  named,
  names,
  ofStatus,
  SIZED,
  scale,
  scaled,
  selecting,
  settled,
  versions,
  webhook,
} from './custom-resource-definitions-words.ts';
import { everyKind } from './every-kind.ts';
import { apply, collection, creates, get, list, object, patch, post, put, row } from './words.ts';

const full: JsonObject = {
  metadata: { annotations: { a: 'b' }, finalizers: ['example.com/hold'] },
  spec: {
    scope: 'Cluster',
    names: names({
      singular: 'thing',
      listKind: 'Things',
      shortNames: ['th', 'tg'],
      categories: ['all', 'things'],
    }),
    conversion: {
      strategy: 'Webhook',
      webhook: {
        clientConfig: { service: { namespace: 'eu', name: 'convert', path: '/convert' } },
        conversionReviewVersions: ['v1', 'v1beta1'],
      },
    },
    preserveUnknownFields: false,
    versions: [
      version({
        schema: { openAPIV3Schema: SIZED },
        subresources: { status: {}, scale },
        additionalPrinterColumns: [
          column({ format: 'int32', description: 'How large', priority: 1 }),
          column({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }),
        ],
        selectableFields: [{ jsonPath: '.spec.size' }, { jsonPath: '.spec.colour' }],
      }),
      version({
        name: 'v1beta1',
        storage: false,
        deprecated: true,
        deprecationWarning: 'use v1',
      }),
      version({ name: 'v1alpha1', storage: false, served: false }),
    ],
  },
  status: { storedVersions: ['v7'], acceptedNames: { plural: 'x', kind: 'Y' } },
};

/** One is changed after it is established. */
function changes(cases: Readonly<Record<string, { from?: JsonObject; to: JsonObject }>>): Row[] {
  return Object.entries(cases).map(([name, { from = minimal, to }]) =>
    row(K, 'update', name, ...settled(from), put(K, to, LATER)),
  );
}

/** Rows of every kind in which nothing changes by itself. */
const STILL =
  /create: (twice|as a|without a name|with a bad|of another|with an unknown|with a .+ (list|text|number)$)|(get|delete): a missing|by an unknown|of a missing/;

export const customResourceDefinitions: RowGroup = {
  name: 'customresourcedefinitions',
  rows: [
    ...everyKind(K, {
      minimal,
      full,
      changed: minimal,
      merge: {},
      json: [],
      strategic: {},
      applied: minimal,
      wrongTypes: {
        'with versions that are a text': versions('v1' as unknown as JsonObject),
        'with names that are a list': { spec: { names: [] } },
        'with a served that is a text': versions(version({ served: 'yes' })),
        'with a schema that is a text': versions(version({ schema: { openAPIV3Schema: 'x' } })),
      },
    }).filter(({ name }) => STILL.test(name)),
    row(K, 'create', 'the least, with its defaults', post(K, object(K, minimal))),
    row(K, 'create', 'every field', post(K, object(K, full))),
    row(K, 'get', 'once it is established', ...settled(), get(K)),
    row(K, 'get', 'of every field, once it is established', ...settled(full), get(K)),
    row(K, 'get', 'as a Table', ...settled(), get(K, asTable)),
    row(K, 'get', 'the status', ...settled(), get(K, ofStatus)),
    row(K, 'list', 'by label', ...settled(), ...settled(minimal, { name: 'b' }), list(K)),
    row(
      K,
      'list',
      'as a Table',
      ...settled(full),
      ...settled(minimal, { name: 'b' }),
      list(K, asTable),
    ),
    row(
      K,
      'list',
      'by metadata.name',
      ...settled(),
      list(K, { query: { fieldSelector: 'metadata.name={ns}-a.{ns}.example.com' } }),
    ),
    row(K, 'watch', 'how one is established', ...settled(minimal, { name: 'b' }), {
      name: 'watch',
      watch: {
        path: collection(K),
        query: { labelSelector: 'row={ns}', watch: '1', resourceVersion: '{rv:given-b}' },
      },
      during: [post(K, object(K, minimal), { setup: true })],
      events: 3,
    }),
    ...creates(K, {
      'without a spec': {},
      'with a spec of nothing': {
        metadata: { name: 'x.y' },
        spec: { group: '', names: {}, scope: '', versions: [] },
      },
      'of another name': { ...minimal, metadata: { name: '{ns}-z.{ns}.example.com' } },
      'of a group that is no domain': {
        spec: { group: 'rows' },
        metadata: { name: '{ns}-a.rows' },
      },
      'of a group with a bad name': { spec: { group: 'Bad_Group.x' } },
      'without a group': { spec: { group: '' } },
      'of an unknown scope': { spec: { scope: 'Planet' } },
      'without a scope': { spec: { scope: '' } },
      'with bad names': named({
        plural: 'Bad_Plural',
        singular: 'Bad Singular',
        kind: 'Bad Kind',
        listKind: 'Bad_List',
        shortNames: ['ok', 'Bad'],
        categories: ['all', 'B B'],
      }),
      'without a plural': named({ plural: '' }),
      'without a kind': named({ kind: '' }),
      'with a list of the same kind': named({ listKind: 'ThingA' }),
      'with a kind of mixed case': named({ kind: 'ThingOfMINE' }),
      'without versions': versions(),
      'with versions that are null': { spec: { versions: null } },
      'with a version of a bad name': versions(version({ name: 'V 1' })),
      'with no stored version': versions(version({ storage: false })),
      'with two stored versions': versions(version(), version({ name: 'v2' })),
      'with the same version twice': versions(version(), version({ storage: false })),
      'with no served version': versions(version({ served: false })),
      'with versions of the same schema': versions(
        version(),
        version({ name: 'v2', storage: false }),
      ),
      'with versions of other schemas': versions(
        version(),
        version({
          name: 'v2',
          storage: false,
          schema: { openAPIV3Schema: SIZED },
          subresources: { status: {} },
        }),
      ),
      'with a version without a schema': versions(
        version(),
        version({ name: 'v2', storage: false, schema: null }),
      ),
      'with a warning of a version that is not deprecated': versions(
        version({ deprecationWarning: 'old' }),
      ),
      'with an empty warning': versions(version({ deprecated: true, deprecationWarning: '' })),
      'with a long warning': versions(
        version({ deprecated: true, deprecationWarning: 'x'.repeat(257) }),
      ),
      'with a warning of lines': versions(
        version({ deprecated: true, deprecationWarning: 'ö\nb' }),
      ),
      'with a deprecated version': versions(version({ deprecated: true })),
      'that keeps unknown fields': { spec: { preserveUnknownFields: true } },
      'that keeps unknown fields, with defaults': {
        spec: {
          preserveUnknownFields: true,
          ...(ofField({ type: 'string', default: 'x' }).spec as JsonObject),
        },
      },
      'with an empty column': ofRoot(SIZED, { additionalPrinterColumns: [{}] }),
      'with a bad column': ofRoot(SIZED, {
        additionalPrinterColumns: [
          column({ type: 'text', format: 'round', jsonPath: 'spec.size' }),
        ],
      }),
      'with a column of everything': ofRoot(SIZED, {
        additionalPrinterColumns: [column({ jsonPath: '.' })],
      }),
      'with a bad column of two versions': versions(
        version({ additionalPrinterColumns: [column({ jsonPath: 'x' })] }),
        version({
          name: 'v2',
          storage: false,
          additionalPrinterColumns: [column({ jsonPath: 'y' })],
        }),
      ),
      'with a bad column of all versions': versions(
        version({ additionalPrinterColumns: [column({ jsonPath: 'x' })] }),
        version({
          name: 'v2',
          storage: false,
          additionalPrinterColumns: [column({ jsonPath: 'x' })],
        }),
      ),
      'with an empty scale': scaled({}),
      'with a scale of bad paths': scaled({
        specReplicasPath: 'spec.replicas',
        statusReplicasPath: '.spec.replicas',
        labelSelectorPath: '.metadata.labels',
      }),
      'with a scale of the wrong part': scaled({
        specReplicasPath: '.status.replicas',
        statusReplicasPath: 'x',
        labelSelectorPath: 'x',
      }),
      'with an empty field to select by': selecting(''),
      'with a field to select by that is not there': selecting('.spec.nothing'),
      'with fields to select by that are no values': selecting(
        '.spec.parts',
        '.spec.inner',
        '.spec.share',
        '.metadata.name',
      ),
      'with a bad path to select by': selecting('spec.size', '.spec.parts[0]', '.spec["size"]'),
      'with the same field to select by twice': selecting('.spec.size', '.spec.size'),
      'with a field to select by within': selecting('.spec.inner.on', '.spec.colour'),
      'with too many fields to select by': ofRoot(
        {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: Object.fromEntries(
                Array.from({ length: 9 }, (_, index) => [`f${index}`, { type: 'string' }]),
              ),
            },
          },
        },
        {
          selectableFields: Array.from({ length: 9 }, (_, index) => ({
            jsonPath: `.spec.f${index}`,
          })),
        },
      ),
      'with a webhook': webhook(),
      'with a webhook at a URL': atUrl('https://convert.example.com/x'),
      'with a webhook at a bad URL': atUrl('http://me@x/?a#b'),
      'with a webhook that is not said': { spec: { conversion: { strategy: 'Webhook' } } },
      'with a webhook of neither': webhook({}, { service: null }),
      'with a webhook of both': webhook({}, { url: 'https://x' }),
      'with a webhook of a bad service': webhook(
        {},
        { service: { namespace: '', name: '', path: 'x//', port: 0 } },
      ),
      'with a webhook and a bad bundle': webhook({}, { caBundle: NO_BUNDLE }),
      'with a webhook of no reviews': webhook({ conversionReviewVersions: [] }),
      'with a webhook of unknown reviews': webhook({
        conversionReviewVersions: ['v7', 'v7', 'V 8'],
      }),
      'with a webhook that is not used': {
        spec: {
          conversion: {
            strategy: 'None',
            webhook: { clientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] },
          },
        },
      },
      'with an unknown conversion': { spec: { conversion: { strategy: 'Magic' } } },
      'with a webhook that keeps unknown fields': {
        spec: { ...(webhook().spec as JsonObject), preserveUnknownFields: true },
      },
      'of a protected group': {
        spec: { group: '{ns}.k8s.io' },
        metadata: { name: '{ns}-a.{ns}.k8s.io' },
      },
      'of a protected group, badly approved': {
        spec: { group: '{ns}.kubernetes.io' },
        metadata: {
          name: '{ns}-a.{ns}.kubernetes.io',
          annotations: { 'api-approved.kubernetes.io': 'yes' },
        },
      },
    }),
    ...changes({
      'with nothing changed': { to: minimal },
      'to every field but the scope': {
        to: {
          ...full,
          spec: { ...(full.spec as JsonObject), scope: 'Namespaced', names: names() },
        },
      },
      'of the scope': { to: { spec: { scope: 'Cluster' } } },
      'of the kind': { to: named({ kind: 'Other' }) },
      'of the kind of a list': { to: named({ listKind: 'Others' }) },
      'of the plural': { to: named({ plural: 'others' }) },
      'of the group': { to: { spec: { group: 'other.example.com' } } },
      'of short names and categories': { to: named({ shortNames: ['x'], categories: ['y'] }) },
      'of the stored version': {
        to: versions(version({ storage: false }), version({ name: 'v2' })),
      },
      'without the stored version': { to: versions(version({ name: 'v2' })) },
      'to unknown fields that are kept': { to: { spec: { preserveUnknownFields: true } } },
      'of the schema': { to: ofRoot(SIZED) },
      'to a schema that is not structural': { to: ofField({ type: 'array' }) },
      'to no schema': { to: versions(version({ schema: null })) },
      'to a webhook': { to: webhook() },
      'to a webhook with a bad bundle': { to: webhook({}, { caBundle: NO_BUNDLE }) },
      'to an unknown format': { to: ofField({ type: 'string', format: 'secret-sauce' }) },
      'of a label and an annotation': {
        to: { ...minimal, metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } },
      },
      'with a status': {
        to: { ...minimal, status: { storedVersions: ['v9'], conditions: [] } },
      },
      'of a rule': {
        from: ofField({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 1' }] }),
        to: ofField({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > "x"' }] }),
      },
    }),
    row(
      K,
      'update',
      'at an old resourceVersion',
      ...settled(),
      put(K, minimal, {
        body: object(K, { ...minimal, metadata: { resourceVersion: '{rv:make-a}' } }),
      }),
    ),
    row(
      K,
      'update',
      'without a resourceVersion',
      ...settled(),
      put(K, {}, { body: object(K, minimal) }),
    ),
    row(K, 'update', 'as a Table', ...settled(), put(K, ofRoot(SIZED), { ...asTable, ...LATER })),
    row(
      K,
      'patch',
      'merge',
      ...settled(),
      patch(K, 'merge', { spec: { names: { shortNames: ['m'] } } }, { ...EARLIER, setup: true }),
      get(K, {
        until: '"shortNames":["m"],"kind":"ThingA","listKind":"ThingAList"},"storedVersions"',
      }),
    ),
    row(
      K,
      'patch',
      'JSON',
      ...settled(),
      patch(
        K,
        'json',
        [{ op: 'add', path: '/spec/versions/0/additionalPrinterColumns', value: [column()] }],
        LATER,
      ),
    ),
    row(
      K,
      'patch',
      'strategic',
      ...settled(),
      patch(K, 'strategic', { spec: { versions: [version({ deprecated: true })] } }, LATER),
    ),
    row(K, 'patch', 'apply creates', apply(K, minimal)),
    row(
      K,
      'patch',
      'apply changes',
      apply(K, minimal, { name: 'first', setup: true }),
      get(K, { name: 'given-a', until: '"InitialNamesAccepted"', setup: true }),
      apply(K, ofRoot(SIZED, { subresources: { status: {} } })),
    ),
    row(K, 'patch', 'apply beside another', ...settled(), apply(K, ofRoot(SIZED))),
    row(
      K,
      'patch',
      'apply by force',
      ...settled(),
      apply(K, ofRoot(SIZED), { query: { fieldManager: 'applier', force: 'true' } }),
    ),
    ...statusRows(),
    ...conditionRows(),
    ...removalRows(),
  ],
};
