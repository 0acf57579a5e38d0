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

/** A conversion for every version but the stored one: the compiler asks for those that are missing. */
export type Conversions<V extends Versions, Stored extends keyof V> = {
  readonly [Name in Exclude<keyof V, Stored>]: Conversion<ObjectIn<V[Name]>, ObjectIn<V[Stored]>>;
};
