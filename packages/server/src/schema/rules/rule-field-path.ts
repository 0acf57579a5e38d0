/** The `fieldPath` of a rule: `.spec.name`, `.labels['a.b']`, as far as the schema has such a field. */
import { FieldPath } from '@tributary/apimachinery';
import type { JsonSchema } from '../json-schema.ts';
import { isRecord } from '../schema-node.ts';

/** The path as in errors; undefined when the schema has no such field. */
export function ruleFieldPath(text: string, schema: JsonSchema): string | undefined {
  const rest = tokensOf(text).values();
  let place: Place = { path: '', schema };
  for (const token of rest) {
    const name = token === '.' ? rest.next().value : token === '[' ? quoted(rest) : undefined;
    const next = name === undefined ? undefined : stepInto(place, name);
    if (next === undefined) return undefined;
    place = next;
  }
  return place.path;
}

interface Place {
  readonly path: string;
  readonly schema: JsonSchema;
}

function stepInto({ path, schema }: Place, name: string): Place | undefined {
  const { properties, additionalProperties } = schema;
  if (isRecord(properties) && Object.keys(properties).length > 0) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const child = path === '' ? FieldPath.root(name) : FieldPath.root(path, name);
    return isRecord(field) ? { path: child.toString(), schema: field } : undefined;
  }
  return isRecord(additionalProperties)
    ? { path: `${path}[${name}]`, schema: additionalProperties }
    : undefined;
}

/** Returns the quoted text before a closing bracket. */
function quoted(rest: ArrayIterator<string>): string | undefined {
  const token = rest.next().value ?? '';
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) return undefined;
  const name = unescaped(token.slice(1, -1));
  return rest.next().value === ']' ? name : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

function unescaped(text: string): string | undefined {
  let isKnown = true;
  const plain = text.replace(/\\(.)/g, (_, letter: string) => {
    const meant = ESCAPES[letter];
    isKnown &&= meant !== undefined;
    return meant ?? '';
  });
  return isKnown ? plain : undefined;
}

/** Dots and brackets, texts in single quotes, and names between them. */
function tokensOf(text: string): string[] {
  return text.match(/'(?:[\s\S]*?[^\\])?'|'[\s\S]*$|[.[\]]|[^.[\]']+[^.[\]]*/g) ?? [];
}
