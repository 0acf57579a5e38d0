import type { KubeObject, ObjectMeta } from '@tributary/apimachinery';
import type { VersionDefinition } from './version.ts';

export type Versions = Readonly<Record<string, VersionDefinition>>;

/** The type of the objects of a version. */
export type ObjectIn<V> = V extends VersionDefinition<infer Object> ? Object : never;

/** What a conversion makes: everything but the type. Metadata that it does not give stays as it was. */
export type Content<Object> = Omit<Object, 'apiVersion' | 'kind' | 'metadata'> & {
  metadata?: ObjectMeta;
};

/**
 * Between a version and the one that is stored. Nothing may be lost on the way there and back, and
 * the objects given are not changed. What only one side knows may be kept in an annotation.
 */
export interface Conversion<Other = KubeObject, Stored = KubeObject> {
  readonly toStorage: (object: Other) => Content<Stored>;
  readonly fromStorage: (object: Stored) => Content<Other>;
}

/**
 * A conversion that somebody else makes, such as a webhook: between any two versions, all objects of an answer at once.
 * What it throws is answered, or ends a watch: a `StatusError` as it is, anything else as 500.
 */
export interface RemoteConversion {
  /**
   * As many objects as are given, in the same order, each of version `to`. Objects given are not changed. It has a time
   * limit of its own; the signal fires only when the server closes, because several clients may wait for one call.
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

/** A conversion for every version but the stored one: the compiler asks for those that are missing. */
export type Conversions<V extends Versions, Stored extends keyof V> = {
  readonly [Name in Exclude<keyof V, Stored>]:
    | Conversion<ObjectIn<V[Name]>, ObjectIn<V[Stored]>>
    | RemoteConversion;
};
