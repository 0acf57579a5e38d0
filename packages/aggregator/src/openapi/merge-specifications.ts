import { isDeepStrictEqual } from 'node:util';
import { filterPaths } from './filter-specification.ts';
import { mapReferences, parseReference, writeReference } from './references.ts';
import {
  type JsonObject,
  type Named,
  SECTIONS,
  type Section,
  type Specification,
} from './specification.ts';
import { uniteKinds, withoutKinds } from './unite-kinds.ts';

/** A merge in progress: specifications are added to the first one in order. */
export interface Merging {
  /** Adds all of it or, when it throws, nothing. */
  add(specification: Specification): void;
  result(): Specification;
}

/** Uses the first specification unchanged, with its head. */
export function beginMerge(first: Specification): Merging {
  const whole = {
    head: first.head,
    paths: new Map(first.paths),
    definitions: new Map(first.definitions),
    parameters: new Map(first.parameters),
    responses: new Map(first.responses),
  };
  return {
    add(specification) {
      const added = specification.paths.keys().some((path) => !whole.paths.has(path))
        ? withoutConflicts(
            whole,
            filterPaths(specification, (path) => !whole.paths.has(path)),
          )
        : undefined;
      if (added === undefined) return; // as upstream: definitions without paths are unused
      for (const [name, definition] of added.united) whole.definitions.set(name, definition);
      for (const section of SECTIONS) addMissing(whole[section], added.specification[section]);
      addMissing(whole.paths, added.specification.paths);
    },
    result: () => whole,
  };
}

/** Renames conflicting definitions and their references. */
function withoutConflicts(
  whole: Specification,
  source: Specification,
): { readonly specification: Specification; readonly united: Named } {
  const renames = Object.fromEntries(
    SECTIONS.map((section) => [section, findRenames(whole[section], source[section], section)]),
  ) as Record<Section, ReadonlyMap<string, string>>;
  const specification = rename(source, renames);
  const united = new Map<string, JsonObject>();
  for (const [name, definition] of specification.definitions) {
    const known = whole.definitions.get(name);
    if (known === undefined) continue;
    const both = uniteKinds(known as JsonObject, definition as JsonObject);
    if (both !== known) united.set(name, both);
  }
  return { specification, united };
}

function findRenames(whole: Named, source: Named, section: Section): ReadonlyMap<string, string> {
  const renames = new Map<string, string>();
  const taken = new Set<string>();
  for (const [name, value] of source) {
    const known = whole.get(name);
    if (known === undefined || isSame(known, value, section)) continue;
    const free = freeName(name, (candidate) => {
      const other = whole.get(candidate);
      // Uses an equal copy that was renamed before.
      if (other !== undefined) return isSame(other, value, section) && !source.has(candidate);
      return !taken.has(candidate) && !source.has(candidate);
    });
    taken.add(free);
    renames.set(name, free);
  }
  return renames;
}

function freeName(name: string, isFree: (candidate: string) => boolean): string {
  for (let number = 2; ; number += 1) {
    const candidate = `${name}_v${number}`;
    if (isFree(candidate)) return candidate;
  }
}

/** The same definition is in many specifications, each time for the kinds of its own group. */
function isSame(one: unknown, other: unknown, section: Section): boolean {
  if (section !== 'definitions') return isDeepStrictEqual(one, other);
  return isDeepStrictEqual(withoutKinds(one), withoutKinds(other));
}

function rename(
  source: Specification,
  renames: Readonly<Record<Section, ReadonlyMap<string, string>>>,
): Specification {
  if (SECTIONS.every((section) => renames[section].size === 0)) return source;
  const change = (written: string): string => {
    const reference = parseReference(written);
    if (reference === undefined) return written;
    const { section } = reference;
    const name = renames[section].get(reference.name);
    return name === undefined ? written : writeReference({ section, name });
  };
  const renamed = (named: Named, names?: ReadonlyMap<string, string>): Named =>
    new Map(
      [...named].map(([name, value]) => [names?.get(name) ?? name, mapReferences(value, change)]),
    );
  return {
    head: source.head,
    paths: renamed(source.paths),
    definitions: renamed(source.definitions, renames.definitions),
    parameters: renamed(source.parameters, renames.parameters),
    responses: renamed(source.responses, renames.responses),
  };
}

function addMissing(whole: Map<string, unknown>, more: Named): void {
  for (const [name, value] of more) if (!whole.has(name)) whole.set(name, value);
}
