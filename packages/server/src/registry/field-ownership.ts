import {
  FieldManager,
  FieldSet,
  formatGroupVersion,
  type GroupVersionKind,
  type KindVersions,
  type KubeObject,
  type MergeType,
  objectType,
} from '@tributary/apimachinery';
import type { VersionView } from '../conversion/version-view.ts';
import { type ResourceDefinition, subresourcesIn } from '../definition/resource.ts';
import { withoutEmptyMaps } from '../schema/typed/distinct-empty-maps.ts';
import { storedVersion } from './definition-strategy.ts';
import { emptyObject, unsetObject } from './empty-object.ts';
import { versionName } from './version-name.ts';

/** Field ownership for writes through one endpoint of one version. */
export interface FieldOwnership {
  /** The object for the store after a write other than apply; `live` is undefined for a new object. */
  track(live: KubeObject | undefined, next: KubeObject, manager: string): Promise<KubeObject>;
  /** The result of an apply in the served version; `live` is undefined for a new object. */
  apply(live: KubeObject | undefined, config: KubeObject, options: ApplyOwner): Promise<KubeObject>;
}

export interface ApplyOwner {
  readonly manager: string;
  readonly force: boolean;
}

interface OwnedEndpoint {
  readonly kind: GroupVersionKind;
  /** The subresource of the endpoint; empty for the object itself. */
  readonly subresource: string;
  readonly view: VersionView;
  /** An object of the served version without any field set. */
  readonly empty: KubeObject;
  readonly owned: KindVersions;
  /** Paths of maps that have no owner while they are empty. */
  readonly unownedWhenEmpty?: readonly string[];
  readonly nowMs: () => number;
}

/** Computes the ownership for one endpoint, synchronously. */
export class FieldTracker {
  readonly #endpoint: OwnedEndpoint;
  readonly #manager: FieldManager;

  constructor(endpoint: OwnedEndpoint) {
    const { kind, subresource, empty, owned, nowMs } = endpoint;
    this.#endpoint = endpoint;
    this.#manager = new FieldManager({ kind, subresource, versions: owned, empty, nowMs });
  }

  track(live: KubeObject | undefined, next: KubeObject, manager: string): KubeObject {
    const { view, unownedWhenEmpty = [] } = this.#endpoint;
    const served = withoutEmptyMaps(view.fromStorage(next), unownedWhenEmpty);
    const updated = this.#manager.update(this.#served(live), served, manager);
    // In the storage version it is the object for the store already.
    return served === next ? updated : withManagedFields(next, updated.metadata.managedFields);
  }

  apply(live: KubeObject | undefined, config: KubeObject, options: ApplyOwner): KubeObject {
    const applied = this.#manager.apply(this.#served(live), config, options);
    return withAlwaysWritten(applied, this.#endpoint.empty);
  }

  #served(live: KubeObject | undefined): KubeObject {
    const { view, empty } = this.#endpoint;
    return live === undefined ? empty : view.fromStorage(live);
  }
}

function withManagedFields(
  object: KubeObject,
  managedFields: KubeObject['metadata']['managedFields'],
): KubeObject {
  const { managedFields: _before, ...metadata } = object.metadata;
  return { ...object, metadata: managedFields ? { ...metadata, managedFields } : metadata };
}

/** Converts an object, of which parts may be missing; the version is as in `apiVersion`. */
export type ConvertOwned = (object: KubeObject, to: string) => KubeObject;

/** Converts by way of the storage version. */
export function convertedByViews(
  { group }: { readonly group: string },
  views: ReadonlyMap<string, VersionView>,
): ConvertOwned {
  const viewOf = new Map(
    [...views].map(([version, view]) => [formatGroupVersion({ group, version }), view]),
  );
  return (object, to) => {
    const stored = viewOf.get(object.apiVersion)?.toStorage(object) ?? object;
    return viewOf.get(to)?.fromStorage(stored) ?? stored;
  };
}

/** The versions of a resource for the field manager of one of its endpoints. */
export function ownedKind(
  { group }: { readonly group: string },
  definition: ResourceDefinition,
  convert: ConvertOwned,
  endpoint: { readonly apiVersion: string; readonly subresource: string },
): KindVersions {
  const types = new Map<string, () => MergeType>();
  const empties = new Map<string, KubeObject>();
  for (const [version, described] of definition.versions) {
    const apiVersion = formatGroupVersion({ group, version });
    // Made with the first write: a server starts with many kinds, some of them large.
    let type: MergeType | undefined;
    types.set(apiVersion, () => {
      const { fields, root } = described.schema;
      const preservesUnknown = root?.['x-kubernetes-preserve-unknown-fields'] === true;
      type ??= objectType(fields, { preservesUnknown });
      return type;
    });
    empties.set(
      apiVersion,
      unsetObject(emptyObject({ group, version, kind: definition.kind }, described), described),
    );
  }
  const reset = resetFields(definition, endpoint);
  return {
    type: (apiVersion) => types.get(apiVersion)?.(),
    convert: (object, apiVersion) => {
      if (object.apiVersion === apiVersion) return object;
      const { metadata = {} } = object;
      const whole = withAlwaysWritten({ ...object, metadata }, empties.get(object.apiVersion));
      const converted = convert(whole, apiVersion);
      // An object without metadata gets none by conversion.
      return object.metadata === undefined ? withoutMetadata(converted) : converted;
    },
    // As upstream: fields reset by the status endpoint in every version, by the main endpoint in its own version.
    resetFields: (apiVersion) =>
      endpoint.subresource === 'status' || apiVersion === endpoint.apiVersion
        ? reset
        : FieldSet.empty,
  };
}

/**
 * Partial objects during a merge may lack fields that an author's conversion relies on. Kinds that always write some
 * fields are structs upstream: null and empty values in one are absent.
 */
function withAlwaysWritten(object: KubeObject, always: KubeObject | undefined): KubeObject {
  const { kind: _kind, apiVersion: _version, metadata: _metadata, ...fields } = always ?? object;
  if (always === undefined || Object.keys(fields).length === 0) return object;
  const present = Object.entries(object).filter(
    ([name, value]) => value !== null || !Object.hasOwn(fields, name),
  );
  const metadata = Object.entries(object.metadata ?? {}).filter(([, value]) => !isVoid(value));
  return {
    ...fields,
    ...Object.fromEntries(present),
    metadata: Object.fromEntries(metadata),
  } as KubeObject;
}

function withoutMetadata({ metadata: _metadata, ...rest }: KubeObject): KubeObject {
  return rest as KubeObject;
}

function isVoid(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The fields that an endpoint ignores in requests. */
function resetFields(
  definition: ResourceDefinition,
  { apiVersion, subresource }: { readonly apiVersion: string; readonly subresource: string },
): FieldSet {
  const { resetFields } = definition;
  const subresources = subresourcesIn(definition, versionName(apiVersion));
  if (subresource === 'status') return fieldSetOf(resetFields.status ?? statusResets(definition));
  const part = subresources.custom.get(subresource);
  if (part?.type === 'part') return fieldSetOf(part.resetFields ?? []);
  return fieldSetOf(resetFields.whole ?? (subresources.status ? ['status'] : []));
}

/** The status endpoint of built-in kinds may change metadata. */
function statusResets(definition: ResourceDefinition): readonly string[] {
  return storedVersion(definition).schema.typed === undefined ? ['metadata', 'spec'] : ['spec'];
}

function fieldSetOf(paths: readonly string[]): FieldSet {
  return FieldSet.of(...paths.map((path) => path.split('.').map((field) => `f:${field}`)));
}
