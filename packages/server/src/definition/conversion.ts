import type { KubeObject, ObjectMeta } from '@tributary/apimachinery';
import type { VersionDefinition } from './version.ts';

export type Versions = Readonly<Record<string, VersionDefinition>>;

/** The type of the objects of a version. */
export type ObjectIn<V> = V extends VersionDefinition<infer Object> ? Object : never;

/** The result of a conversion: everything but the type. Metadata that it does not return is unchanged. */
export type Content<Object> = Omit<Object, 'apiVersion' | 'kind' | 'metadata'> & {
  metadata?: ObjectMeta;
};

/**
 * Converts between a version and the storage version. A round trip must lose nothing, and arguments must not be
 * changed. Fields of only one version may be stored in an annotation.
 */
export interface Conversion<Other = KubeObject, Stored = KubeObject> {
  readonly toStorage: (object: Other) => Content<Stored>;
  readonly fromStorage: (object: Stored) => Content<Other>;
}

/**
 * A conversion by another program, such as a webhook: between any two versions, all objects of a response at once. An
 * error fails the request or ends the watch: a `StatusError` as it is, anything else as 500.
 */
export interface RemoteConversion {
  /**
   * Returns as many objects, in the same order, each of version `to`, without changing its arguments. It has its own
   * timeout; the signal fires only when the server closes, because several clients may wait for one call.
   */
  convert(
    objects: readonly KubeObject[],
    versions: ConvertedVersions,
    signal: AbortSignal,
  ): Promise<readonly KubeObject[]>;
}

/** As in `apiVersion`: group and version. */
export interface ConvertedVersions {
  readonly from: string;
  readonly to: string;
}

export function isRemote(
  conversion: Conversion | RemoteConversion,
): conversion is RemoteConversion {
  return 'convert' in conversion;
}

/** A conversion for every version but the storage version; the compiler reports missing ones. */
export type Conversions<V extends Versions, Stored extends keyof V> = {
  readonly [Name in Exclude<keyof V, Stored>]:
    | Conversion<ObjectIn<V[Name]>, ObjectIn<V[Stored]>>
    | RemoteConversion;
};
