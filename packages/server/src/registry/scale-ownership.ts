import {
  FieldManager,
  FieldSet,
  formatGroupVersion,
  type KubeObject,
  objectType,
  parentManagedFields,
  type ReplicasPaths,
  scaleManagedFields,
} from '@tributary/apimachinery';
import { type ResourceDefinition, subresourcesIn } from '../definition/resource.ts';
import { scaleKind } from '../definition/served-versions.ts';
import type { ScalePaths } from '../definition/subresource.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

type ManagedFields = KubeObject['metadata']['managedFields'];

/** Field ownership of the replicas, for writes of a Scale. Objects are scales unless they are named parents. */
export interface ScaleOwnership {
  /** A scale with the managers of its parent that own the replicas. */
  show(scale: KubeObject, parent: KubeObject): KubeObject;
  track(live: KubeObject, next: KubeObject, manager: string): KubeObject;
  apply(
    live: KubeObject,
    config: KubeObject,
    options: { readonly manager: string; readonly force: boolean },
  ): KubeObject;
  /** The managers of the parent after a write of its scale. */
  parentManagers(parent: KubeObject, scale: KubeObject): ManagedFields;
}

interface ScaledEndpoint {
  readonly group: string;
  readonly definition: ResourceDefinition;
  /** The version of the endpoint. */
  readonly version: string;
  readonly paths: ScalePaths;
  /** The fields of a Scale. */
  readonly fields: ReadonlyMap<string, JsonSchema>;
  readonly nowMs: () => number;
}

const scaleApiVersion = formatGroupVersion(scaleKind);

export function scaleOwnership(endpoint: ScaledEndpoint): ScaleOwnership {
  const type = objectType(endpoint.fields);
  const manager = new FieldManager({
    kind: scaleKind,
    subresource: 'scale',
    versions: {
      type: (apiVersion) => (apiVersion === scaleApiVersion ? type : undefined),
      convert: (object) => object,
      resetFields: () => FieldSet.empty,
    },
    empty: { apiVersion: scaleApiVersion, kind: scaleKind.kind, metadata: {} },
    nowMs: endpoint.nowMs,
  });
  const paths = replicasPaths(endpoint);
  const apiVersion = recordedVersion(endpoint, paths);
  return {
    show: (scale, { metadata: { managedFields = [] } }) => {
      const entries = scaleManagedFields(managedFields, paths);
      if (entries === undefined) return scale;
      return { ...scale, metadata: { ...scale.metadata, managedFields: [...entries] } };
    },
    track: (live, next, name) => manager.update(live, withoutZero(next), name),
    apply: (live, config, options) => manager.apply(live, config, options),
    parentManagers: ({ metadata }, scale) => {
      const [before, after] = [metadata.managedFields ?? [], scale.metadata.managedFields ?? []];
      const entries = parentManagedFields(before, after, { paths, apiVersion });
      return entries && [...entries];
    },
  };
}

/** Zero replicas are an absent field, which has no owner. */
function withoutZero(scale: KubeObject): KubeObject {
  const { spec } = scale as KubeObject & { spec?: { replicas?: unknown } };
  return spec?.replicas === 0 ? ({ ...scale, spec: {} } as KubeObject) : scale;
}

/**
 * The path of the replicas in the storage version, which an author declares. It also applies to versions that declare
 * the same field; owners in other versions are not changed.
 */
function replicasPaths({ group, definition, paths }: ScaledEndpoint): ReplicasPaths {
  const names = paths.specReplicasPath.slice(1).split('.');
  const elements = names.map((name) => `f:${name}`);
  if (definition.validatesServedVersion) return ownPaths(group, definition);
  return new Map(
    [...definition.versions].map(([version, { schema }]) => [
      formatGroupVersion({ group, version }),
      version === definition.storageVersion || declares(schema.fields, names)
        ? elements
        : undefined,
    ]),
  );
}

/** Each version declares its own path. */
function ownPaths(group: string, definition: ResourceDefinition): ReplicasPaths {
  return new Map(
    [...definition.versions.keys()].map((version) => [
      formatGroupVersion({ group, version }),
      subresourcesIn(definition, version)
        .scale?.specReplicasPath.slice(1)
        .split('.')
        .map((name) => `f:${name}`),
    ]),
  );
}

function declares(fields: ReadonlyMap<string, JsonSchema>, names: readonly string[]): boolean {
  const [first = '', ...rest] = names;
  let at = fields.get(first) as JsonSchema | undefined;
  for (const name of rest) {
    const properties = at?.properties as Record<string, JsonSchema> | undefined;
    at = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  }
  return at !== undefined;
}

/** The version that records the owners of the replicas: the endpoint's, if its path is known. */
function recordedVersion(
  { group, version, definition }: ScaledEndpoint,
  paths: ReplicasPaths,
): string {
  const own = formatGroupVersion({ group, version });
  const stored = formatGroupVersion({ group, version: definition.storageVersion });
  return paths.get(own) === undefined ? stored : own;
}
