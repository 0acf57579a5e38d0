import type { JsonSchema } from '../json-schema.ts';
import {
  type GoEither,
  type GoField,
  type GoScalar,
  type GoStructType,
  type GoType,
  type ScalarKind,
  scalarKinds,
} from './go-type.ts';

/**
 * The types of a Go package as compact data, parsed on first use of a type. A type that is not a struct is a line:
 * `string`, `[]string`, `time`, `either Schema []Schema`. A struct has a line for each field: its JSON name with its
 * protobuf number and tag options, its Go type and, as JSON, the OpenAPI keywords that do not follow from it; an
 * embedded struct has its Go name and `inline`. OpenAPI keywords of the struct itself come first.
 */
export interface GoPackageSource {
  /** The path of the package: `k8s.io/api/core/v1`. */
  readonly path: string;
  /** Packages that types here refer to, by their name before the point. */
  readonly imports?: Readonly<Record<string, GoPackage>>;
  readonly types: Readonly<Record<string, string | readonly string[]>>;
  /** By `Type` and `Type.field`. */
  readonly descriptions?: Readonly<Record<string, string>>;
}

export interface GoPackage {
  /** Throws when the package has no type of this name. */
  type(name: string): GoType;
  readonly path: string;
}

export function goPackage(source: GoPackageSource): GoPackage {
  const known = new Map<string, GoType>();
  const reader: Reader = {
    source,
    short: source.path.slice(source.path.lastIndexOf('/') + 1),
    named: (name) => {
      const type = known.get(name) ?? readType(name, reader);
      known.set(name, type);
      return type;
    },
  };
  return { path: source.path, type: reader.named };
}

/** `io.k8s.api.core.v1` of `k8s.io/api/core/v1`. */
export function definitionPrefix(path: string): string {
  const [host = '', ...rest] = path.split('/');
  return [...host.split('.').reverse(), ...rest].join('.');
}

interface Reader {
  readonly source: GoPackageSource;
  /** The package's name in messages. */
  readonly short: string;
  readonly named: (name: string) => GoType;
}

function readType(name: string, reader: Reader): GoType {
  const { types, path } = reader.source;
  const written = Object.hasOwn(types, name) ? types[name] : undefined;
  if (written === undefined) throw new Error(`${path} has no type ${name}`);
  if (typeof written !== 'string') return structType(name, written, reader);
  const { expression, extras } = splitExtras(written);
  const underlying = typeOf(expression, reader);
  const own = `${reader.short}.${name}`;
  const described = `${definitionPrefix(path)}.${name}`;
  if (underlying.kind === 'either') return { ...underlying, name: own, definition: described };
  if (!isScalar(underlying)) return { ...underlying, name: own };
  const definition = DESCRIBED.has(underlying.kind) ? described : undefined;
  return { ...underlying, name: own, definition, extras };
}

/** Kinds that have an OpenAPI definition of their own. */
const DESCRIBED: ReadonlySet<ScalarKind> = new Set<ScalarKind>([
  'time',
  'microTime',
  'intOrString',
  'quantity',
  'raw',
  'json',
]);

const SCALARS: ReadonlySet<string> = new Set(scalarKinds);

function isScalar(type: GoType): type is GoScalar {
  return SCALARS.has(type.kind);
}

function typeOf(expression: string, reader: Reader): GoType {
  if (expression === '[]uint8') return scalar('bytes', '[]uint8');
  if (expression.startsWith('*')) {
    const element = typeOf(expression.slice(1), reader);
    // Messages have the name of the pointer's element.
    return { kind: 'pointer', name: element.name, element };
  }
  if (expression.startsWith('[]')) {
    const element = typeOf(expression.slice(2), reader);
    return { kind: 'slice', name: `[]${printed(element)}`, element };
  }
  if (expression.startsWith('map[')) {
    const end = expression.indexOf(']');
    const key = typeOf(expression.slice('map['.length, end), reader);
    const element = typeOf(expression.slice(end + 1), reader);
    return { kind: 'map', name: `map[${key.name}]${printed(element)}`, element };
  }
  if (expression.startsWith(EITHER)) return either(expression.slice(EITHER.length), reader);
  if (SCALARS.has(expression)) return scalar(expression as ScalarKind, expression);
  return namedType(expression, reader);
}

const EITHER = 'either ';

function either(expressions: string, reader: Reader): GoEither {
  const [first = '', second = ''] = expressions.split(' ');
  const struct = typeOf(first, reader);
  if (struct.kind !== 'struct') throw new Error(`${first}: only a struct can be one of two`);
  const name = expressions;
  return { kind: 'either', name, definition: undefined, struct, other: typeOf(second, reader) };
}

function printed(type: GoType): string {
  return type.kind === 'pointer' ? `*${type.name}` : type.name;
}

function scalar(kind: ScalarKind, name: string): GoType {
  return { kind, name, definition: undefined, extras: {} };
}

function namedType(expression: string, { source, named }: Reader): GoType {
  const [from = '', name] = expression.split('.');
  if (name === undefined) return named(from);
  const imported = source.imports?.[from];
  if (imported === undefined) throw new Error(`${source.path} imports no ${from}`);
  return imported.type(name);
}

function structType(name: string, written: readonly string[], reader: Reader): GoStructType {
  const { source, short } = reader;
  const [first = ''] = written;
  const hasExtras = first.startsWith('{');
  const lines = hasExtras ? written.slice(1) : written;
  let read: Fields | undefined;
  const struct: GoStructType = {
    kind: 'struct',
    name: `${short}.${name}`,
    bareName: name,
    definition: `${definitionPrefix(source.path)}.${name}`,
    extras: hasExtras ? (JSON.parse(first) as JsonSchema) : {},
    // Structs may contain themselves, so fields are parsed on first use.
    get fields() {
      read ??= fieldsOf(lines, struct, reader);
      return read.fields;
    },
    get byName() {
      read ??= fieldsOf(lines, struct, reader);
      return read.byName;
    },
    get byNumber() {
      read ??= fieldsOf(lines, struct, reader);
      return read.byNumber;
    },
    describe: (field) => {
      const key = field === undefined ? name : `${name}.${field}`;
      const { descriptions = {} } = reader.source;
      return Object.hasOwn(descriptions, key) ? descriptions[key] : undefined;
    },
  };
  return struct;
}

type Fields = Pick<GoStructType, 'fields' | 'byName' | 'byNumber'>;

function fieldsOf(lines: readonly string[], struct: GoStructType, reader: Reader): Fields {
  const read = lines.map((line) => readLine(line, reader));
  const fields = read
    .flatMap((line) => fieldOf(line, struct))
    .map((field, index) => ({ ...field, index }));
  return {
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    byNumber: new Map(
      read
        .filter(({ number }) => number > 0)
        .map(({ number, name, type, isInline }) => [number, { name, type, isInline }]),
    ),
  };
}

interface Line {
  readonly name: string;
  readonly type: GoType;
  readonly options: readonly string[];
  readonly isInline: boolean;
  /** Zero without one. */
  readonly number: number;
  readonly extras: JsonSchema;
}

function readLine(line: string, reader: Reader): Line {
  const space = line.indexOf(' ');
  const [name = '', ...options] = line.slice(0, space).split(',');
  const { expression, extras } = splitExtras(line.slice(space + 1));
  return {
    name,
    type: typeOf(expression, reader),
    options,
    isInline: options.includes('inline'),
    number: Number(options.find((option) => /^[0-9]+$/.test(option)) ?? 0),
    extras,
  };
}

function fieldOf({ name, type, options, isInline, extras }: Line, struct: GoStructType): GoField[] {
  if (isInline) return embedded(name, type);
  return [
    {
      name,
      path: name,
      index: 0,
      type,
      omitEmpty: options.includes('omitempty'),
      omitZero: options.includes('omitzero'),
      required: options.includes('required'),
      extras,
      declaredBy: struct,
    },
  ];
}

function embedded(name: string, type: GoType): GoField[] {
  const struct = type.kind === 'pointer' ? type.element : type;
  if (struct.kind !== 'struct') throw new Error(`${name}: only structs can be embedded`);
  return struct.fields.map((field) => ({ ...field, path: `${name}.${field.path}` }));
}

function splitExtras(text: string): { expression: string; extras: JsonSchema } {
  const at = text.indexOf(' {');
  if (at < 0) return { expression: text, extras: {} };
  return { expression: text.slice(0, at), extras: JSON.parse(text.slice(at + 1)) as JsonSchema };
}
