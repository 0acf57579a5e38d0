/**
 * A schema in the form that upstream's CustomResourceDefinitions have: OpenAPI 3.0 keywords, each in one form.
 * Validation, pruning and defaulting walk over nodes. References may be circular, so a walk follows the value, never
 * the schema.
 */
export interface SchemaNode {
  /** Empty: any type. */
  readonly types: readonly SchemaTypeName[];
  readonly nullable: boolean;
  /** Empty when no format is validated for this type. */
  readonly format: string;
  readonly enum: readonly unknown[] | undefined;
  readonly minimum: Bound | undefined;
  readonly maximum: Bound | undefined;
  readonly multipleOf: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: Pattern | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly items: SchemaNode | undefined;
  /** One schema for each position; further elements are invalid. */
  readonly tuple: readonly SchemaNode[] | undefined;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, SchemaNode>;
  /** Fields that `properties` does not have; `false` rejects them, undefined does not specify them. */
  readonly additionalProperties: SchemaNode | false | undefined;
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
  /** A null default counts as none. */
  readonly default: unknown;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly listType: 'atomic' | 'set' | 'map';
  readonly listMapKeys: readonly string[];
  /** The source schema, where fields are converted lazily. */
  readonly source: Readonly<Record<string, unknown>> | undefined;
}

export type SchemaTypeName =
  | 'object'
  | 'array'
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'null';

export interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

export interface Pattern {
  /** As the author wrote it, for messages. */
  readonly source: string;
  readonly matches: (text: string) => boolean;
}

export const EMPTY_NODE: SchemaNode = {
  types: [],
  nullable: false,
  format: '',
  enum: undefined,
  minimum: undefined,
  maximum: undefined,
  multipleOf: undefined,
  minLength: undefined,
  maxLength: undefined,
  pattern: undefined,
  minItems: undefined,
  maxItems: undefined,
  uniqueItems: false,
  items: undefined,
  tuple: undefined,
  minProperties: undefined,
  maxProperties: undefined,
  required: [],
  properties: new Map(),
  additionalProperties: undefined,
  allOf: [],
  anyOf: [],
  oneOf: [],
  not: undefined,
  default: undefined,
  preserveUnknownFields: false,
  embeddedResource: false,
  listType: 'atomic',
  listMapKeys: [],
  source: undefined,
};

/** Any value, without pruning. */
export const ANYTHING: SchemaNode = { ...EMPTY_NODE, preserveUnknownFields: true };

/** The schema of a whole object; its type and metadata are not the author's. */
export function rootNode(fields: ReadonlyMap<string, SchemaNode>): SchemaNode {
  return { ...EMPTY_NODE, types: ['object'], properties: fields };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
