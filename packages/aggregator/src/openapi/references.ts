/** References within a document. */
import {
  isObject,
  type JsonObject,
  SECTIONS,
  type Section,
  type Specification,
} from './specification.ts';

export interface Reference {
  readonly section: Section;
  readonly name: string;
}

/** Below these, keys are names instead of keywords: a field may be called `default`. */
const NAME_MAPS: ReadonlySet<string> = new Set([
  ...SECTIONS,
  'headers',
  'paths',
  'patternProperties',
  'properties',
]);
/** Below these is data without references. */
const DATA: ReadonlySet<string> = new Set(['default', 'enum', 'example', 'examples']);

/** Replaces every reference; a value without one is not copied. */
export function mapReferences(value: unknown, change: (reference: string) => string): unknown {
  return mapNode(value, change, false);
}

/** Visits every reference inside a value. */
export function visitReferences(value: unknown, visit: (reference: string) => void): void {
  mapReferences(value, (reference) => {
    visit(reference);
    return reference;
  });
}

/** Undefined when it leads outside of the document's sections. */
export function parseReference(reference: string): Reference | undefined {
  const section = SECTIONS.find((one) => reference.startsWith(`#/${one}/`));
  return section && { section, name: decodePointer(reference.slice(section.length + 3)) };
}

/** Everything that the paths refer to, directly or not. */
export function reachedFrom(
  paths: Iterable<unknown>,
  specification: Specification,
): Readonly<Record<Section, ReadonlySet<string>>> {
  const reached = {
    definitions: new Set<string>(),
    parameters: new Set<string>(),
    responses: new Set<string>(),
  };
  const open: unknown[] = [...paths];
  while (open.length > 0) {
    visitReferences(open.pop(), (written) => {
      const reference = parseReference(written);
      if (reference === undefined) return;
      const { section, name } = reference;
      if (reached[section].has(name)) return;
      reached[section].add(name);
      open.push(specification[section].get(name));
    });
  }
  return reached;
}

/** The first reference without a target; undefined when there is none. */
export function danglingReference(specification: Specification): string | undefined {
  let dangling: string | undefined;
  const check = (written: string) => {
    const reference = parseReference(written);
    if (reference && specification[reference.section].has(reference.name)) return;
    dangling ??= written;
  };
  for (const named of [specification.paths, ...SECTIONS.map((one) => specification[one])]) {
    for (const entry of named.values()) visitReferences(entry, check);
  }
  return dangling;
}

/** Names are escaped in references as in JSON pointers. */
export function writeReference({ section, name }: Reference): string {
  return `#/${section}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function decodePointer(text: string): string {
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function mapNode(value: unknown, change: (reference: string) => string, isNames: boolean): unknown {
  if (Array.isArray(value)) return mapElements(value, change);
  if (!isObject(value)) return value;
  let changed: [string, unknown][] | undefined;
  const entries = Object.entries(value);
  for (const [index, [key, inner]] of entries.entries()) {
    const mapped = isNames ? mapNode(inner, change, false) : mapMember(key, inner, change);
    if (mapped === inner) continue;
    changed ??= [...entries];
    changed[index] = [key, mapped];
  }
  return changed === undefined ? value : (Object.fromEntries(changed) satisfies JsonObject);
}

function mapMember(key: string, value: unknown, change: (reference: string) => string): unknown {
  if (key === '$ref' && typeof value === 'string') return change(value);
  if (DATA.has(key) || key.startsWith('x-')) return value;
  return mapNode(value, change, NAME_MAPS.has(key));
}

function mapElements(values: readonly unknown[], change: (reference: string) => string): unknown {
  const mapped = values.map((value) => mapNode(value, change, false));
  return mapped.every((value, index) => value === values[index]) ? values : mapped;
}
