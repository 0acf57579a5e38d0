import {
  cloneJson,
  formatGroupVersion,
  GoTypeError,
  type GroupVersionKind,
  internalError,
  type KubeObject,
  StatusError,
} from '@tributary/apimachinery';
import {
  type Conversion,
  type ConvertedVersions,
  isRemote,
  type RemoteConversion,
} from '../definition/conversion.ts';
import type { ResourceDefinition } from '../definition/resource.ts';
import { pruneObject } from '../schema/prune.ts';
import { type StoredForm, storedForm } from './stored-form.ts';
import { type VersionChange, type VersionLens, versionLens } from './version-converter.ts';
import { withType } from './with-type.ts';

/** The versions of a resource whose objects are judged in the version in which they are sent. */
export interface VersionLenses {
  /** How objects of each version lie in the store, by `apiVersion`; the one that is stored first. */
  readonly forms: ReadonlyMap<string, StoredForm>;
  /** The same for all who ask for it: what it has made is shared. */
  of(version: string): VersionLens;
  /** At once; undefined when somebody must be asked. */
  convertNow(object: KubeObject, to: string): KubeObject | undefined;
}

/** `closing` fires when nobody waits for anything any more. */
export function versionLenses(
  group: string,
  definition: ResourceDefinition,
  closing: AbortSignal,
): VersionLenses {
  const { kind, versions, storageVersion, conversions, remoteConversions } = definition;
  const apiVersionOf = (version: string) => formatGroupVersion({ group, version });
  const stored = apiVersionOf(storageVersion);
  const names = [storageVersion, ...[...versions.keys()].filter((name) => name !== storageVersion)];
  const forms = new Map(
    names.map((name) => [apiVersionOf(name), storedForm(apiVersionOf(name), kind)]),
  );
  const byApiVersion = new Map(
    [...conversions, ...remoteConversions].map(([version, one]) => [apiVersionOf(version), one]),
  );
  const settle = settledIn(group, definition);
  const changes = new Map<string, VersionChange>();
  const change = (between: ConvertedVersions): VersionChange => {
    const key = `${between.from} ${between.to}`;
    const known = changes.get(key) ?? makeChange(kind, between, { byApiVersion, closing, settle });
    changes.set(key, known);
    return known;
  };
  const lenses = new Map<string, VersionLens>();
  return {
    forms,
    of: (version) => {
      const served = apiVersionOf(version);
      const lens = lenses.get(version) ?? versionLens({ served, stored, forms, change });
      lenses.set(version, lens);
      return lens;
    },
    convertNow: (object, to) => {
      if (object.apiVersion === to) return object;
      const how = change({ from: object.apiVersion, to });
      return how.kind === 'local' ? how.convert(object) : undefined;
    },
  };
}

interface Conversions {
  readonly byApiVersion: ReadonlyMap<string, Conversion | RemoteConversion>;
  readonly closing: AbortSignal;
  /** The last step, by the schema of the version that was converted to; it may change what it is given. */
  readonly settle: (object: KubeObject) => KubeObject;
}

/** Somebody else converts between any two versions; a conversion of our own leads to the stored one and back. */
function makeChange(
  kind: GroupVersionKind['kind'],
  between: ConvertedVersions,
  { byApiVersion, closing, settle }: Conversions,
): VersionChange {
  const here = byApiVersion.get(between.from);
  const there = byApiVersion.get(between.to);
  const remote = [here, there].find((one) => one !== undefined && isRemote(one));
  if (remote !== undefined && isRemote(remote)) {
    return {
      kind: 'remote',
      convert: async (objects) => (await asked(remote, objects, between, closing)).map(settle),
    };
  }
  const type = { kind, apiVersion: between.to };
  return {
    kind: 'local',
    convert: (object) => {
      const stored =
        here && !isRemote(here) ? withType(type, object, here.toStorage(object)) : object;
      const content = there && !isRemote(there) ? there.fromStorage(stored) : stored;
      return settle(withType(type, stored, content));
    },
  };
}

/** As upstream, a version never shows what its schema does not have, whatever a conversion brings along. */
function settledIn(
  group: string,
  { versions, defaultsStored }: ResourceDefinition,
): (object: KubeObject) => KubeObject {
  if (!defaultsStored) return (object) => object;
  const schemas = new Map(
    [...versions].map(([version, { schema }]) => [formatGroupVersion({ group, version }), schema]),
  );
  return (object) => {
    const schema = schemas.get(object.apiVersion);
    if (schema === undefined) return object;
    // A conversion that changes only the version shares everything else with what it was given.
    const own = cloneJson(object) as KubeObject;
    try {
      pruneObject(own, schema);
    } catch (error) {
      // What cannot be understood is shown as it is.
      if (error instanceof GoTypeError) return object;
      throw error;
    }
    return own;
  };
}

async function asked(
  remote: RemoteConversion,
  objects: readonly KubeObject[],
  between: ConvertedVersions,
  closing: AbortSignal,
): Promise<readonly KubeObject[]> {
  try {
    return await remote.convert(objects, between, closing);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw internalError(error instanceof Error ? error : new Error(String(error)));
  }
}
