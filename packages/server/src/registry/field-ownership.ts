import {
  FieldManager,
  FieldSet,
  formatGroupVersion,
  type GroupVersionKind,
  type KubeObject,
  type MergeType,
  type OwnedKind,
  objectType,
} from '@tributary/apimachinery';
import type { VersionView } from '../representation/version-view.ts';
import type { ResourceDefinition } from '../resource.ts';

/** Who owns which fields, for writes through one endpoint of one version. */
export interface FieldOwnership {
  /** A stored object after a write that was no apply; `live` is undefined for a new one. */
  track(live: KubeObject | undefined, next: KubeObject, manager: string): KubeObject;
  /** What an apply makes, in the served version; `live` is undefined when there is nothing yet. */
  apply(
    live: KubeObject | undefined,
    config: KubeObject,
    options: { readonly manager: string; readonly force: boolean },
  ): KubeObject;
}

export interface OwnedEndpoint {
  readonly kind: GroupVersionKind;
  readonly subresource: '' | 'status';
  readonly view: VersionView;
  /** An object of the served version of which nothing was said. */
  readonly empty: KubeObject;
  readonly owned: OwnedKind;
  readonly nowMs: () => number;
}

export function fieldOwnership(endpoint: OwnedEndpoint): FieldOwnership {
  const { kind, subresource, view, empty, owned, nowMs } = endpoint;
  const manager = new FieldManager({ kind, subresource, owned, empty, nowMs });
  const before = (live: KubeObject | undefined) => (live ? view.fromStorage(live) : empty);
  return {
    track: (live, next, name) => {
      const { managedFields } = manager.update(before(live), view.fromStorage(next), name).metadata;
      return withManagedFields(next, managedFields);
    },
    apply: (live, config, options) => manager.apply(before(live), config, options),
  };
}

function withManagedFields(
  object: KubeObject,
  managedFields: KubeObject['metadata']['managedFields'],
): KubeObject {
  const { managedFields: _before, ...metadata } = object.metadata;
  return { ...object, metadata: managedFields ? { ...metadata, managedFields } : metadata };
}

/** What is known of a resource's versions, for one of its endpoints. */
export function ownedKind(
  { group }: { readonly group: string },
  definition: ResourceDefinition,
  views: ReadonlyMap<string, VersionView>,
  endpoint: { readonly apiVersion: string; readonly subresource: '' | 'status' },
): OwnedKind {
  const types = new Map<string, MergeType>();
  const viewOf = new Map<string, VersionView>();
  for (const [version, { schema }] of definition.versions) {
    const apiVersion = formatGroupVersion({ group, version });
    types.set(apiVersion, objectType(schema.fields));
    const view = views.get(version);
    if (view !== undefined) viewOf.set(apiVersion, view);
  }
  const reset = resetFields(definition, endpoint.subresource);
  return {
    type: (apiVersion) => types.get(apiVersion),
    convert: (object, apiVersion) => {
      if (object.apiVersion === apiVersion) return object;
      const stored = viewOf.get(object.apiVersion)?.toStorage(object) ?? object;
      return viewOf.get(apiVersion)?.fromStorage(stored) ?? stored;
    },
    resetFields: (apiVersion) => (apiVersion === endpoint.apiVersion ? reset : FieldSet.empty),
  };
}

/** What an endpoint overwrites whatever a client sends. */
function resetFields({ subresources }: ResourceDefinition, subresource: '' | 'status'): FieldSet {
  if (subresource === 'status') return FieldSet.of(['f:metadata'], ['f:spec']);
  return subresources.status ? FieldSet.of(['f:status']) : FieldSet.empty;
}
