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
import { type VersionConversion, VersionConverter } from './version-converter.ts';
import { withType } from './with-type.ts';

/** The versions of a resource whose objects are validated in the version of the request. */
export interface VersionConverters {
  /** The stored form of objects of each version, by `apiVersion`; the storage version first. */
  readonly forms: ReadonlyMap<string, StoredForm>;
  /** Returns the same converter for each call, so that its converted objects are shared. */
  of(version: string): VersionConverter;
  /** Converts synchronously; undefined when the conversion is remote. */
  convertNow(object: KubeObject, to: string): KubeObject | undefined;
}

/** `closing` fires when the server closes. */
export function versionConverters(
  group: string,
  definition: ResourceDefinition,
  closing: AbortSignal,
): VersionConverters {
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
  const prune = storedPruner(group, definition);
  const cached = new Map<string, VersionConversion>();
  const conversionBetween = (between: ConvertedVersions): VersionConversion => {
    const key = `${between.from} ${between.to}`;
    const conversion =
      cached.get(key) ?? makeConversion(kind, between, { byApiVersion, closing, prune });
    cached.set(key, conversion);
    return conversion;
  };
  const converters = new Map<string, VersionConverter>();
  return {
    forms,
    of: (version) => {
      const served = apiVersionOf(version);
      const converter =
        converters.get(version) ??
        new VersionConverter({ served, stored, forms, conversionBetween });
      converters.set(version, converter);
      return converter;
    },
    convertNow: (object, to) => {
      if (object.apiVersion === to) return object;
      const how = conversionBetween({ from: object.apiVersion, to });
      return how.kind === 'local' ? how.convert(object) : undefined;
    },
  };
}

interface Conversions {
  readonly byApiVersion: ReadonlyMap<string, Conversion | RemoteConversion>;
  readonly closing: AbortSignal;
  /** The last step, by the schema of the target version; may return a changed copy of its argument. */
  readonly prune: (object: KubeObject) => KubeObject;
}

/** Remote conversions convert between any two versions; local ones convert to the storage version and from it. */
function makeConversion(
  kind: GroupVersionKind['kind'],
  between: ConvertedVersions,
  { byApiVersion, closing, prune }: Conversions,
): VersionConversion {
  const here = byApiVersion.get(between.from);
  const there = byApiVersion.get(between.to);
  const remote = [here, there].find((one) => one !== undefined && isRemote(one));
  if (remote !== undefined && isRemote(remote)) {
    return {
      kind: 'remote',
      convert: async (objects) =>
        (await convertRemotely(remote, objects, between, closing)).map(prune),
    };
  }
  const type = { kind, apiVersion: between.to };
  return {
    kind: 'local',
    convert: (object) => {
      const stored =
        here && !isRemote(here) ? withType(type, object, here.toStorage(object)) : object;
      const content = there && !isRemote(there) ? there.fromStorage(stored) : stored;
      return prune(withType(type, stored, content));
    },
  };
}

/** As upstream, objects have only the fields of their version's schema, whatever a conversion returns. */
function storedPruner(
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
    // A conversion that changes only the version shares everything else with its argument.
    const copy = cloneJson(object) as KubeObject;
    try {
      pruneObject(copy, schema);
    } catch (error) {
      // Objects that do not match their schema are returned as they are.
      if (error instanceof GoTypeError) return object;
      throw error;
    }
    return copy;
  };
}

async function convertRemotely(
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
