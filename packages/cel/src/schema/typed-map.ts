import { STEPS_PER_PART } from '../values/equality.ts';
import { type CelError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import type { Json } from '../values/json.ts';
import { isMap, type MapValue, type Result, type Step, type Value } from '../values/value.ts';
import {
  type Backed,
  DATA,
  equalData,
  equalParts,
  isObject,
  type JsonObject,
  type ToValue,
} from './backing.ts';
import { isPlain } from './plain.ts';
import { escapeProperty, unescapeProperty } from './property-names.ts';
import { propertyOf, type Schema, valuesOf, withTypeAndObjectMeta } from './schema.ts';

/** An object, or a map by its names. */
export function typedMap(data: JsonObject, schema: Schema, toValue: ToValue): MapValue {
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  return new TypedMap(data, embedded ? withTypeAndObjectMeta(schema) : schema, toValue);
}

/** An object of properties, or a map of values of one schema. A class, since every access makes some. */
class TypedMap implements MapValue, Backed {
  readonly kind = 'map';
  readonly [DATA]: JsonObject;
  readonly #schema: Schema;
  readonly #toValue: ToValue;
  #children: Map<string, Result> | undefined;
  #keys: readonly string[] | undefined;
  #size: number | undefined;

  constructor(data: JsonObject, schema: Schema, toValue: ToValue) {
    this[DATA] = data;
    this.#schema = schema;
    this.#toValue = toValue;
  }

  get size(): number {
    this.#size ??= Object.keys(this[DATA]).length;
    return this.#size;
  }

  get(key: Value): Result | undefined {
    if (typeof key !== 'string') {
      return NO_SUCH_OVERLOAD;
    }
    const name = this.#isProperties ? unescapeProperty(key) : key;
    return name === undefined ? undefined : this.#find(name);
  }

  keys(): readonly string[] {
    this.#keys ??= Object.keys(this[DATA])
      .filter((name) => this.#schemaOf(name) !== undefined)
      .map((name) => (this.#isProperties ? (escapeProperty(name) ?? name) : name));
    return this.#keys;
  }

  equals(other: Value, step: Step): boolean | CelError {
    // Maps of one schema compare their plain parts as data, which is many times faster.
    const twin =
      other instanceof TypedMap && other.#schema === this.#schema ? other[DATA] : undefined;
    return equalMaps(this, { twin, schemaOf: (name) => this.#schemaOf(name) }, other, step);
  }

  get #isProperties(): boolean {
    return this.#schema.properties !== undefined;
  }

  #schemaOf(name: string): Schema | undefined {
    return this.#isProperties ? propertyOf(this.#schema, name) : valuesOf(this.#schema);
  }

  #find(name: string): Result | undefined {
    const data = this[DATA];
    const part = Object.hasOwn(data, name) ? data[name] : undefined;
    const schema = part === undefined ? undefined : this.#schemaOf(name);
    // A null of a nullable property is as good as absent; a null value of a map is a value.
    if (schema === undefined || (part === null && this.#isProperties)) {
      return undefined;
    }
    if (typeof part !== 'object' || part === null) {
      return this.#toValue(part, schema);
    }
    const known = this.#children?.get(name);
    if (known !== undefined) {
      return known;
    }
    const value = this.#toValue(part, schema);
    this.#children ??= new Map();
    this.#children.set(name, value);
    return value;
  }
}

interface Comparison {
  /** The other map's data, when it has the same schema. */
  readonly twin: JsonObject | undefined;
  schemaOf(name: string): Schema | undefined;
}

function equalMaps(
  map: TypedMap,
  { twin, schemaOf }: Comparison,
  other: Value,
  step: Step,
): boolean | CelError {
  if (!isMap(other)) {
    return NO_SUCH_OVERLOAD;
  }
  if (map.size !== other.size) {
    return false;
  }
  const data = map[DATA];
  for (const name of Object.keys(data)) {
    const schema = schemaOf(name);
    const result =
      schema === undefined
        ? equalUnknown(data, other, name, step)
        : (equalPlainly(data[name], twin, name, schema, step) ??
          equalParts(map.get(name), other.get(name), step));
    if (result !== true) {
      return result;
    }
  }
  return true;
}

/** A field that no schema knows is the same when the data is, or when the other has none. */
function equalUnknown(
  data: JsonObject,
  other: MapValue & Backed,
  name: string,
  step: Step,
): boolean | CelError {
  const theirs = other[DATA];
  if (!isObject(theirs)) {
    return NO_SUCH_OVERLOAD;
  }
  return !Object.hasOwn(theirs, name) || equalData(data[name], theirs[name], step);
}

/** Undefined when the part is not plain or the other has none. */
function equalPlainly(
  part: Json | undefined,
  twin: JsonObject | undefined,
  name: string,
  schema: Schema,
  step: Step,
): boolean | undefined {
  const theirs = twin !== undefined && Object.hasOwn(twin, name) ? twin[name] : undefined;
  const scalars = isScalar(part) && isScalar(theirs);
  if (!scalars || !isPlain(schema)) {
    return undefined;
  }
  step(STEPS_PER_PART);
  return part === theirs;
}

function isScalar(data: Json | undefined): boolean {
  return data !== undefined && data !== null && typeof data !== 'object';
}
