import type { JsonSchema } from '../json-schema.ts';

/** A type of Go's, as far as decoding, writing and describing its JSON needs it. */
export type GoType = GoScalar | GoPointer | GoSlice | GoMap | GoStructType | GoEither;

export interface GoScalar {
  readonly kind: ScalarKind;
  /** As Go's messages write it: `string`, `v1.ServiceType`. */
  readonly name: string;
  /** The OpenAPI definition that describes it; undefined for what is described where it stands. */
  readonly definition: string | undefined;
  /** What the documents tell of it beyond its kind: the values of an enumeration. */
  readonly extras: JsonSchema;
}

export type ScalarKind = (typeof scalarKinds)[number];

/** Those of Go, and those of Kubernetes that read and write their JSON themselves. */
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

export interface GoPointer {
  readonly kind: 'pointer';
  readonly name: string;
  readonly element: GoType;
}

export interface GoSlice {
  readonly kind: 'slice';
  readonly name: string;
  readonly element: GoType;
}

/** Keys are strings, whatever their type is called. */
export interface GoMap {
  readonly kind: 'map';
  readonly name: string;
  readonly element: GoType;
}

/** A struct or something else, told apart by how the JSON begins: a schema or a list of them, a schema or a boolean. */
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
  /** What the documents tell of it beyond its fields. */
  readonly extras: JsonSchema;
  /** In the order in which Go writes them, those of embedded structs among them. */
  readonly fields: readonly GoField[];
  readonly byName: ReadonlyMap<string, GoField>;
  /** How protocol buffers number them; embedded structs are messages of their own there. */
  readonly byNumber: ReadonlyMap<number, NumberedField>;
  /** For `kubectl explain`; of the struct itself without a field. */
  readonly describe: (field?: string) => string | undefined;
}

export interface GoField {
  /** In JSON. */
  readonly name: string;
  /** In Go's messages, which name the embedded structs on the way: `VolumeSource.hostPath`. */
  readonly path: string;
  /** The place among the fields of its struct. */
  readonly index: number;
  readonly type: GoType;
  /** Whether an empty value is not written. Structs, and what is one to Go, are never empty. */
  readonly omitEmpty: boolean;
  /** The same for values that call themselves zero; only times do. */
  readonly omitZero: boolean;
  /** The documents call it required; whether it is, validation decides. */
  readonly required: boolean;
  /** What the documents say of it that does not follow from its type; null takes back what does. */
  readonly extras: JsonSchema;
  /** The struct that declares it, which is an embedded one or the struct itself. */
  readonly declaredBy: Pick<GoStructType, 'describe'>;
}

export interface NumberedField {
  readonly name: string;
  readonly type: GoType;
  /** Its fields are those of the struct around it. */
  readonly isInline: boolean;
}
