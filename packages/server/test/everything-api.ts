/**
 * An API with one of everything, for tests beyond the samples: several versions, every kind of subresource, list and
 * map, a cluster-scoped kind with few verbs, and a kind without storage.
 */
import Type from 'typebox';
import {
  computed,
  defineApi,
  defineResource,
  type VersionDefinition,
  version,
} from '../src/index.ts';
import { Widget } from './everything/widget.ts';

export { Widget } from './everything/widget.ts';
export { REST_ANNOTATION } from './everything/widget-conversions.ts';

/** Is written once: it can be made and removed, but not changed. */
export const Shelf = defineResource({
  kind: 'Shelf',
  plural: 'shelves',
  shortNames: ['sh'],
  scope: 'Cluster',
  names: 'dns-label',
  returnsDeletedObject: true,
  verbs: ['create', 'delete', 'get', 'list', 'watch'],
  versions: {
    v1: version({
      description: 'A place for Widgets.',
      fields: {
        room: Type.String({ minLength: 1 }),
        boards: Type.Optional(Type.Integer({ format: 'int32', default: 4, minimum: 1 })),
      },
      columns: [{ name: 'Room', cell: ({ room }) => room ?? '' }],
      selectableFields: ['room'],
    }),
  },
  /** An action that takes and answers nothing in particular. */
  subresources: { actions: { dust: { run: async () => undefined } } },
});

const HOURS_PER_REPLICA = 2;

const estimateV1 = version({
  description: 'How long it takes to make Widgets.',
  spec: Type.Object({ replicas: Type.Integer({ minimum: 0 }) }),
  status: Type.Object({ hours: Type.Integer() }),
});
type EstimateV1 = typeof estimateV1 extends VersionDefinition<infer Object> ? Object : never;

/** Not stored: the time to make the Widgets of a namespace, computed on request. */
export const Estimate = defineResource({
  kind: 'Estimate',
  plural: 'estimates',
  scope: 'Namespaced',
  versions: { v1: estimateV1 },
  backing: computed<EstimateV1>({
    get: async (name, { namespace, read }) => {
      const widget = await read(Widget).get(name, namespace);
      return widget && estimate(name, namespace, widget.spec.replicas ?? 1);
    },
    list: async ({ namespace, read }) =>
      (await read(Widget).list(namespace || undefined)).map(({ metadata, spec }) =>
        estimate(metadata.name ?? '', metadata.namespace ?? '', spec.replicas ?? 1),
      ),
    create: async ({ metadata, spec }, { namespace }) =>
      estimate(metadata.name ?? '', namespace, spec.replicas),
  }),
});

function estimate(name: string, namespace: string, replicas: number): EstimateV1 {
  return {
    apiVersion: 'everything.example.com/v1',
    kind: 'Estimate',
    metadata: { name, namespace },
    spec: { replicas },
    status: { hours: replicas * HOURS_PER_REPLICA },
  };
}

export const everything = defineApi({
  group: 'everything.example.com',
  resources: [Widget, Shelf, Estimate],
});
