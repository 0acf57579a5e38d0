import type { ObjectDeclaration } from '../declarations/declarations.ts';
import type { Range, SizesByPath } from '../declarations/estimate.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  objectType,
  STRING,
  TIMESTAMP,
  type Type,
} from '../values/types.ts';
import { escapeProperty, isReserved } from './property-names.ts';
import { type Schema, valuesOf, withTypeAndObjectMeta } from './schema.ts';

/** The most a request can bring, which bounds what has no bound of its own. */
const REQUEST_BYTES_MAX = 3 * 1024 * 1024;

/** A type of CEL with what its values can measure. */
export interface SchemaType {
  readonly type: Type;
  /** The most characters, bytes, elements or entries; 0 for what has no size. */
  readonly maxElements: number;
  /** The fewest bytes a value takes as JSON, which bounds how many fit in a request. */
  readonly minSerializedSize: number;
  readonly fields?: ReadonlyMap<string, SchemaType>;
  readonly key?: SchemaType;
  readonly element?: SchemaType;
}

/**
 * The type of a schema, its objects named by their path below `name`, which must not be a variable's:
 * expressions can write names of types, and `self.spec` would be one. Undefined for what expressions
 * cannot see: data without a type, and lists and maps of such.
 */
export function schemaType(
  schema: Schema,
  name: string,
  isResourceRoot = false,
): SchemaType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) {
    const maxElements = schema.maxLength === undefined ? textMax(schema) : lengthMax(schema);
    return { type: DYN, maxElements, minSerializedSize: 1 };
  }
  const whole = isResourceRoot ? withTypeAndObjectMeta(schema) : schema;
  switch (whole.type) {
    case 'array':
      return arrayType(whole, name);
    case 'object':
      return valuesOf(whole) === undefined ? objectOf(whole, name) : mapType(whole, name);
    case 'string':
      return stringType(whole);
    case 'boolean':
      return { type: BOOL, maxElements: 0, minSerializedSize: 4 };
    case 'number':
      return { type: DOUBLE, maxElements: 0, minSerializedSize: 1 };
    case 'integer':
      return { type: INT, maxElements: 0, minSerializedSize: 1 };
    default:
      return undefined;
  }
}

function typeWithin(schema: Schema, name: string): SchemaType | undefined {
  return schemaType(schema, name, schema['x-kubernetes-embedded-resource'] === true);
}

function arrayType({ items, maxItems }: Schema, name: string): SchemaType | undefined {
  const element = items && typeWithin(items, `${name}.@idx`);
  if (element === undefined) {
    return undefined;
  }
  const bySize = Math.floor((REQUEST_BYTES_MAX - 2) / (element.minSerializedSize + 1));
  const maxElements = maxItems === undefined ? bySize : Math.max(0, maxItems);
  return { type: listOf(element.type), maxElements, minSerializedSize: 2, element };
}

const KEY: SchemaType = { type: STRING, maxElements: 0, minSerializedSize: 2 };

function mapType(schema: Schema, name: string): SchemaType | undefined {
  const values = valuesOf(schema);
  const element = values && typeWithin(values, `${name}.@elem`);
  if (element === undefined) {
    return undefined;
  }
  const bySize = Math.floor((REQUEST_BYTES_MAX - 2) / (element.minSerializedSize + 6));
  const { maxProperties } = schema;
  const maxElements = maxProperties === undefined ? bySize : Math.max(0, maxProperties);
  return {
    type: mapOf(STRING, element.type),
    maxElements,
    minSerializedSize: 2,
    key: KEY,
    element,
  };
}

function objectOf(schema: Schema, name: string): SchemaType {
  const fields = new Map<string, SchemaType>();
  const required = new Set(schema.required);
  let minSerializedSize = 2;
  for (const [property, propertySchema] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeProperty(property);
    const field = typeWithin(propertySchema, `${name}.${escaped ?? property}`);
    if (field === undefined) {
      continue;
    }
    if (escaped !== undefined) {
      fields.set(escaped, field);
    }
    if (required.has(property) && (propertySchema.default ?? null) === null) {
      minSerializedSize += Buffer.byteLength(property) + field.minSerializedSize + 4;
    }
  }
  return { type: objectType(name), maxElements: 0, minSerializedSize, fields };
}

function stringType(schema: Schema): SchemaType {
  switch (schema.format) {
    case 'byte': {
      const maxElements =
        schema.maxLength === undefined ? textMax(schema) : Math.max(0, schema.maxLength);
      return { type: BYTES, maxElements, minSerializedSize: 2 };
    }
    case 'duration':
      return { type: DURATION, maxElements: textMax(schema), minSerializedSize: 3 };
    case 'date':
      return { type: TIMESTAMP, maxElements: textMax(schema), minSerializedSize: 12 };
    case 'date-time':
      return { type: TIMESTAMP, maxElements: textMax(schema), minSerializedSize: 21 };
    default:
      return { type: STRING, maxElements: plainMax(schema), minSerializedSize: 2 };
  }
}

function plainMax(schema: Schema): number {
  if (schema.maxLength !== undefined) {
    return lengthMax(schema);
  }
  const { enum: choices = [] } = schema;
  if (choices.length === 0) {
    return textMax(schema);
  }
  const texts = choices.filter((choice) => typeof choice === 'string');
  return Math.max(0, ...texts.map((text) => Buffer.byteLength(text)));
}

/** A character may take four bytes, and sizes are reckoned in bytes here. */
function lengthMax({ maxLength = 0 }: Schema): number {
  return Math.max(0, maxLength) * 4;
}

function textMax(schema: Schema): number {
  if (schema['x-kubernetes-int-or-string'] === true) {
    return REQUEST_BYTES_MAX - 2;
  }
  switch (schema.format) {
    case 'duration':
    case 'date-time':
      return 32;
    case 'date':
      return 12;
    default:
      return REQUEST_BYTES_MAX - 2;
  }
}

/** How often data of a type can occur in one object, when it lies below unbounded lists or maps. */
export function maxCardinality({ minSerializedSize }: SchemaType): number {
  return Math.floor(REQUEST_BYTES_MAX / (minSerializedSize + 1));
}

/** All object types within a type, for an environment. */
export function objectDeclarations(root: SchemaType): readonly ObjectDeclaration[] {
  const found: ObjectDeclaration[] = [];
  const visit = ({ type, fields, element }: SchemaType): void => {
    if (type.kind === 'object' && fields !== undefined) {
      found.push(declarationOf(type.name, fields));
      for (const field of fields.values()) {
        visit(field);
      }
    }
    if (element !== undefined) {
      visit(element);
    }
  };
  visit(root);
  return found;
}

function declarationOf(name: string, fields: ReadonlyMap<string, SchemaType>): ObjectDeclaration {
  return {
    name,
    // A word of CEL is a field also without its escape, since it can be written after a dot.
    field: (field) =>
      (fields.get(field) ?? (isReserved(field) ? fields.get(`__${field}__`) : undefined))?.type,
  };
}

/** The sizes below a type. As upstream, every path is taken to begin at the root, whatever its variable. */
export function sizesOf(root: SchemaType): SizesByPath {
  return (path): Range | undefined => {
    let current: SchemaType | undefined = root;
    for (const step of path.slice(1)) {
      current = stepInto(current, step);
      if (current === undefined) {
        return undefined;
      }
    }
    return { min: 0n, max: BigInt(current.maxElements) };
  };
}

function stepInto(from: SchemaType, step: string): SchemaType | undefined {
  switch (step) {
    case '@items':
    case '@values':
      return from.element;
    case '@keys':
      return from.key;
    default:
      return from.fields?.get(step);
  }
}
