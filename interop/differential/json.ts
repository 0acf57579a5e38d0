/** JSON as data: what a body parses to, and how the judge walks it. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Array.isArray` does not narrow a readonly array. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value, or nothing when the text is no JSON. Integers that a double cannot hold become `<int:…>`. */
export function parseJson(text: string): Json | undefined {
  try {
    // A reviver costs ten times the parsing, and few bodies have such numbers.
    return JSON.parse(text, /\d{16}/.test(text) ? keepBigIntegers : undefined) as Json;
  } catch {
    return undefined; // Not an error: many answers are plain text, and the caller asks which it is.
  }
}

/** The text of the number arrives as a third argument, which the library types do not know yet. */
function keepBigIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  const exact =
    typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value);
  return exact ? value : `<int:${context?.source ?? String(value)}>`;
}

/** Keys in one order, so that two servers' answers are walked alike and files read alike. */
export function sortedEntries(object: JsonObject): [string, Json][] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** A copy in which `change` has answered for each value; undefined means "look inside". */
export function mapJson(
  value: Json,
  change: (value: Json, key: string | undefined) => Json | undefined,
  key?: string,
): Json {
  const changed = change(value, key);
  if (changed !== undefined) return changed;
  if (isArray(value)) return value.map((item) => mapJson(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    sortedEntries(value).map(([name, item]) => [name, mapJson(item, change, name)]),
  );
}

/** Follows names and indices; undefined when the path leads nowhere. */
export function at(
  value: Json | undefined,
  ...path: readonly (string | number)[]
): Json | undefined {
  let here = value;
  for (const part of path) {
    if (typeof part === 'number') here = isArray(here) ? here[part] : undefined;
    else here = isObject(here) && Object.hasOwn(here, part) ? here[part] : undefined;
  }
  return here;
}
