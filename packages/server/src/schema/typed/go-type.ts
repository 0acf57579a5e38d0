import type { JsonSchema } from '../json-schema.ts';

/** A Go type, as far as decoding, encoding and describing its JSON needs it. */
export type GoType = GoScalar | GoPointer | GoSlice | GoMap | GoStructType | GoEither;

export interface GoScalar {
  readonly kind: ScalarKind;
  /** As in Go's messages: `string`, `v1.ServiceType`. */
  readonly name: string;
  /** The OpenAPI definition that describes it; undefined for types described inline. */
  readonly definition: string | undefined;
  /** OpenAPI keywords beyond its kind: the values of an enumeration. */
  readonly extras: JsonSchema;
}

export type ScalarKind = (typeof scalarKinds)[number];

/** Go's scalars, and Kubernetes' types with their own JSON encoding. */
export const scalarKinds = [
  'string',
  'bool',
  'int32',
  'int64',
  'float64',
  'bytes',
  'time',
  'microTime',
  'intOrString',
  'quantity',
  'raw',
  'json',
] as const;

interface GoPointer {
  readonly kind: 'pointer';
  readonly name: string;
  readonly element: GoType;
}

export interface GoSlice {
  readonly kind: 'slice';
  readonly name: string;
  readonly element: GoType;
}

/** Keys are strings, whatever their Go type. */
export interface GoMap {
  readonly kind: 'map';
  readonly name: string;
  readonly element: GoType;
}

/**
 * A struct or another type, distinguished by the beginning of the JSON: a schema or a list of them, a schema or a
 * boolean.
 */
export interface GoEither {
  readonly kind: 'either';
  readonly name: string;
  readonly definition: string | undefined;
  readonly struct: GoStructType;
  readonly other: GoType;
}

export interface GoStructType {
  readonly kind: 'struct';
  /** With the last part of its package's path: `v1.ServiceSpec`. */
  readonly name: string;
  /** Without its package: `ServiceSpec`. */
  readonly bareName: string;
  readonly definition: string;
  /** OpenAPI keywords beyond its fields. */
  readonly extras: JsonSchema;
  /** In the order of Go's encoding, with those of embedded structs. */
  readonly fields: readonly GoField[];
  readonly byName: ReadonlyMap<string, GoField>;
  /** By protobuf number; embedded structs are messages of their own there. */
  readonly byNumber: ReadonlyMap<number, NumberedField>;
  /** For `kubectl explain`; without a field, of the struct itself. */
  readonly describe: (field?: string) => string | undefined;
}

export interface GoField {
  /** In JSON. */
  readonly name: string;
  /** In Go's messages, with embedded structs: `VolumeSource.hostPath`. */
  readonly path: string;
  /** The index among the fields of its struct. */
  readonly index: number;
  readonly type: GoType;
  /** Whether an empty value is omitted. Structs, and types that are structs in Go, are never empty. */
  readonly omitEmpty: boolean;
  /** The same for types with `IsZero`; only times have it. */
  readonly omitZero: boolean;
  /** Required in OpenAPI; validation decides whether it is. */
  readonly required: boolean;
  /** OpenAPI keywords that do not follow from its type; null removes one that does. */
  readonly extras: JsonSchema;
  /** The struct that declares it, which is an embedded one or the struct itself. */
  readonly declaredBy: Pick<GoStructType, 'describe'>;
}

interface NumberedField {
  readonly name: string;
  readonly type: GoType;
  /** Its fields are those of the struct around it. */
  readonly isInline: boolean;
}
