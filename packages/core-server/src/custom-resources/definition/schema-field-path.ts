import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';

type FoundField =
  | { readonly ok: true; readonly path: readonly string[]; readonly schema: JSONSchemaProps }
  | { readonly ok: false; readonly reason: string };

/** Resolves a path such as `.spec.name` in a schema. Brackets are not allowed. */
export function findField(text: string, root: JSONSchemaProps): FoundField {
  const path: string[] = [];
  let schema = root;
  const tokens = tokensOf(text).values();
  for (const token of tokens) {
    if (token === '[') return { ok: false, reason: 'array notation is not allowed' };
    if (token !== '.') return { ok: false, reason: `expected [ or . but got: ${token}` };
    const name = tokens.next().value;
    if (name === undefined) return { ok: false, reason: 'unexpected end of JSON path' };
    const next = innerSchema(schema, name);
    if (next === undefined) return { ok: false, reason: 'does not refer to a valid field' };
    path.push(name);
    schema = next;
  }
  return { ok: true, path, schema };
}

function innerSchema(
  { properties, additionalProperties }: JSONSchemaProps,
  name: string,
): JSONSchemaProps | undefined {
  if (properties !== undefined)
    return Object.hasOwn(properties, name) ? properties[name] : undefined;
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Dots, brackets, single-quoted strings, and names. */
function tokensOf(text: string): string[] {
  return text.match(/'(?:[\s\S]*?[^\\])?'|'[\s\S]*$|[.[\]]|[^.[\]']+[^.[\]]*/g) ?? [];
}
