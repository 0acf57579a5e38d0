/** Go's types and what OpenAPI adds to them, in the form that the server reads. */
import { isDeepStrictEqual } from 'node:util';
import {
  definitionPrefix,
  type GoPackage,
  type GoPackageSource,
  goPackage,
} from '../../packages/server/src/schema/typed/go-package.ts';
import type { GoStructType } from '../../packages/server/src/schema/typed/go-type.ts';
import { structDefinition } from '../../packages/server/src/schema/typed/typed-schema.ts';
import type {
  KindFacts,
  PublishedSchema,
  ReflectedField,
  ReflectedKind,
  ReflectedType,
} from './facts.ts';
import { placeOf, splitName } from './packages.ts';

export interface Structure {
  /** Kinds that are published; lists are not among them. */
  readonly kinds: readonly (ReflectedKind & { readonly isListed: boolean })[];
  /** By path, in the order in which they can be read: imports first. */
  readonly packages: ReadonlyMap<string, PackageStructure>;
}

export interface PackageStructure {
  readonly path: string;
  /** Paths. */
  readonly imports: readonly string[];
  /** By name, sorted. */
  readonly types: ReadonlyMap<string, string | readonly string[]>;
}

export function buildStructure(facts: KindFacts): Structure {
  const served = facts.kinds.filter(({ type }) => definitionName(type) in facts.definitions);
  const used = reachable(
    served.map(({ type }) => type),
    facts.types,
  );
  const additions: Additions = { fields: new Map(), structs: new Map(), scalars: new Map() };
  addEnumerations(used, facts, additions);
  // Facts that do not follow from the types are found by comparing the derived documents with the published ones.
  const derived = readPackages(packagesOf(used, facts, additions));
  for (const name of used) addDifferences(name, { facts, derived, additions });
  const packages = packagesOf(used, facts, additions);
  verify(used, facts, readPackages(packages));
  const names = new Set(served.map(({ type }) => type));
  return {
    kinds: served
      .filter(({ type }) => !names.has(type.replace(/List$/, '')) || !type.endsWith('List'))
      .map((kind) => ({ ...kind, isListed: names.has(`${kind.type}List`) })),
    packages,
  };
}

/** The same as a program would read it from the generated files. */
export function readPackages(
  packages: ReadonlyMap<string, PackageStructure>,
): Map<string, GoPackage> {
  const read = new Map<string, GoPackage>();
  for (const { path, imports, types } of packages.values()) {
    const source: GoPackageSource = {
      path,
      imports: Object.fromEntries(
        imports.map((from) => [placeOf(from).constant, read.get(from) ?? missing(from)]),
      ),
      types: Object.fromEntries(types),
    };
    read.set(path, goPackage(source));
  }
  return read;
}

function definitionName(type: string): string {
  const { path, name } = splitName(type);
  return `${definitionPrefix(path)}.${name}`;
}

/** Contents of the documents beyond the types. */
interface Additions {
  /** By struct and field: `k8s.io/api/core/v1.ServiceSpec ports`. */
  readonly fields: Map<string, { required: boolean; extras: Record<string, unknown> }>;
  readonly structs: Map<string, Record<string, unknown>>;
  readonly scalars: Map<string, Record<string, unknown>>;
}

const NAMED = /k8s\.io(?:\/[\w-]+)+\.\w+/g;

function namesIn(expression: string): string[] {
  return expression.match(NAMED) ?? [];
}

function reachable(roots: readonly string[], types: KindFacts['types']): string[] {
  const found = new Set(roots);
  // A set that grows while it is walked.
  for (const name of found) {
    const { fields = [], underlying = '' } = typeNamed(name, types);
    for (const expression of [underlying, ...fields.map(({ type }) => type)]) {
      for (const inner of namesIn(expression)) found.add(inner);
    }
  }
  return [...found].sort();
}

function typeNamed(name: string, types: KindFacts['types']): ReflectedType {
  return types[name] ?? missing(name);
}

/** Imports point one way in Go, so some order exists. */
function packagesOf(
  used: readonly string[],
  { types }: KindFacts,
  additions: Additions,
): Map<string, PackageStructure> {
  const byPath = Map.groupBy(used, (name) => splitName(name).path);
  const ordered = new Map<string, PackageStructure>();
  const place = (path: string): void => {
    if (ordered.has(path)) return;
    const names = byPath.get(path) ?? [];
    const lines = new Map(
      names.map((name) => [splitName(name).name, linesOf(name, types, additions)]),
    );
    const expressions = names.flatMap((name) => {
      const { fields = [], underlying = '' } = typeNamed(name, types);
      return [underlying, ...fields.map(({ type }) => type)];
    });
    const imports = new Set(expressions.flatMap(namesIn).map((name) => splitName(name).path));
    imports.delete(path);
    const sorted = [...imports].sort();
    for (const from of sorted) place(from);
    ordered.set(path, { path, imports: sorted, types: lines });
  };
  for (const path of [...byPath.keys()].sort()) place(path);
  return ordered;
}

function linesOf(
  name: string,
  types: KindFacts['types'],
  additions: Additions,
): string | readonly string[] {
  const { fields, underlying, special } = typeNamed(name, types);
  const { path } = splitName(name);
  if (special !== undefined) return shortened(special, path);
  if (underlying !== undefined) {
    return withJson(shortened(underlying, path), additions.scalars.get(name));
  }
  const own = additions.structs.get(name);
  const lines = (fields ?? []).map((field) => {
    const added = additions.fields.get(`${name} ${field.name}`);
    const tag = [field.name, ...optionsOf(field), ...(added?.required ? ['required'] : [])];
    return withJson(`${tag.join(',')} ${shortened(field.type, path)}`, added?.extras);
  });
  return own === undefined ? lines : [JSON.stringify(own), ...lines];
}

function optionsOf({ inline, omitEmpty, omitZero, number }: ReflectedField): string[] {
  return [
    ...(number === undefined ? [] : [String(number)]),
    ...(inline ? ['inline'] : []),
    ...(omitEmpty && !inline ? ['omitempty'] : []),
    ...(omitZero && !inline ? ['omitzero'] : []),
  ];
}

function withJson(line: string, extras: Record<string, unknown> = {}): string {
  return Object.keys(extras).length === 0 ? line : `${line} ${JSON.stringify(extras)}`;
}

function shortened(expression: string, within: string): string {
  return expression.replace(NAMED, (full) => {
    const { path, name } = splitName(full);
    return path === within ? name : `${placeOf(path).constant}.${name}`;
  });
}

/** A field, and the struct that declares it: an embedded one, or the struct itself. */
interface OwnedField {
  readonly owner: string;
  readonly field: ReflectedField;
}

function flatFields(name: string, types: KindFacts['types']): OwnedField[] {
  return (typeNamed(name, types).fields ?? []).flatMap((field) =>
    field.inline ? flatFields(field.type.replace(/^\*/, ''), types) : [{ owner: name, field }],
  );
}

/** Values of an enumeration belong to the type of the string, wherever it stands. */
function addEnumerations(
  used: readonly string[],
  { types, definitions }: KindFacts,
  { scalars }: Additions,
): void {
  for (const name of used) {
    const published = definitions[definitionName(name)];
    for (const { field } of published === undefined ? [] : flatFields(name, types)) {
      const [scalar, ...others] = namesIn(field.type);
      if (scalar === undefined || others.length > 0) continue;
      if (typeNamed(scalar, types).underlying !== 'string') continue;
      const values = enumerationIn(published?.properties?.[field.name]);
      if (values !== undefined) scalars.set(scalar, { enum: values });
    }
  }
}

function enumerationIn(schema: PublishedSchema | undefined): unknown {
  const { items, additionalProperties } = (schema ?? {}) as Record<string, PublishedSchema>;
  return (items ?? additionalProperties ?? schema)?.enum;
}

interface Comparison {
  readonly facts: KindFacts;
  readonly derived: ReadonlyMap<string, GoPackage>;
  readonly additions: Additions;
}

function addDifferences(name: string, { facts, derived, additions }: Comparison): void {
  const published = facts.definitions[definitionName(name)];
  if (published === undefined || facts.types[name]?.fields === undefined) return;
  const own = structDefinition(structNamed(name, derived));
  const { properties: _own, required: _required, ...rest } = own as PublishedSchema;
  const beyond = differences(withoutFields(published), rest);
  if (Object.keys(beyond).length > 0) additions.structs.set(name, beyond);
  for (const { owner, field } of flatFields(name, facts.types)) {
    const wanted = published.properties?.[field.name];
    if (wanted === undefined) throw new Error(`${name}.${field.name} is not published`);
    const found = (own.properties?.[field.name] ?? {}) as PublishedSchema;
    const key = `${owner} ${field.name}`;
    const added = {
      required: published.required?.includes(field.name) ?? false,
      extras: differences(wanted, found),
    };
    const before = additions.fields.get(key);
    if (before !== undefined && !isDeepStrictEqual(before, added)) {
      throw new Error(`${key}: published in two ways`);
    }
    additions.fields.set(key, added);
  }
}

/** The kinds of a definition follow from which kinds there are. */
function withoutFields(schema: PublishedSchema): PublishedSchema {
  const {
    properties: _properties,
    required: _required,
    'x-kubernetes-group-version-kind': _kinds,
    ...rest
  } = schema;
  return rest as PublishedSchema;
}

/** The changes from one schema to another; null removes a keyword. */
function differences(wanted: PublishedSchema, found: PublishedSchema): Record<string, unknown> {
  const extras: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(wanted)) {
    if (!isDeepStrictEqual(value, found[keyword])) extras[keyword] = value;
  }
  for (const keyword of Object.keys(found)) if (!(keyword in wanted)) extras[keyword] = null;
  return extras;
}

/** The documents that a program will publish are those that were published. */
function verify(
  used: readonly string[],
  { types, definitions }: KindFacts,
  packages: ReadonlyMap<string, GoPackage>,
): void {
  for (const name of used) {
    const published = definitions[definitionName(name)];
    if (published === undefined || types[name]?.fields === undefined) continue;
    const { 'x-kubernetes-group-version-kind': _kinds, ...wanted } = published;
    const own = structDefinition(structNamed(name, packages));
    if (!isDeepStrictEqual(own, wanted)) {
      throw new Error(
        `${name}: published as ${JSON.stringify(wanted)}, generated as ${JSON.stringify(own)}`,
      );
    }
  }
}

function structNamed(name: string, packages: ReadonlyMap<string, GoPackage>): GoStructType {
  const { path, name: bare } = splitName(name);
  const type = packages.get(path)?.type(bare);
  return type?.kind === 'struct' ? type : missing(name);
}

function missing(name: string): never {
  throw new Error(`there is no ${name}`);
}
