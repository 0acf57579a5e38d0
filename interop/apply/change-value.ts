/** How a configuration becomes the next one of the same manager: it grows, shrinks, moves and changes. */
import type { SeededRandom } from '../../test/harness/index.ts';
import type { Json, JsonObject } from './step.ts';
import { isObject } from './values.ts';

/** Takes something away somewhere. */
export function shrunk(value: Json, random: SeededRandom): Json {
  if (Array.isArray(value) && value.length > 0) {
    const at = random.int(0, value.length - 1);
    const inner = value[at] as Json;
    if (random.chance(0.5) || !isContainer(inner)) return value.filter((_, index) => index !== at);
    return value.map((item, index) => (index === at ? shrunk(inner, random) : (item as Json)));
  }
  if (!isObject(value) || Object.keys(value).length === 0) return value;
  const name = random.pick(Object.keys(value));
  const inner = value[name] as Json;
  if (random.chance(0.5) || !isContainer(inner)) return without(value, name);
  return { ...value, [name]: shrunk(inner, random) };
}

/** All lists, and the fields of objects, in another order. */
export function reordered(value: Json, random: SeededRandom): Json {
  if (Array.isArray(value)) {
    return random.shuffle(value as readonly Json[]).map((item) => reordered(item, random));
  }
  if (!isObject(value)) return value;
  const entries = random.shuffle(Object.entries(value));
  return Object.fromEntries(entries.map(([name, one]) => [name, reordered(one, random)]));
}

/** The fields of both; for a field of both, the value of the second, and its lists. */
export function joined(one: JsonObject, other: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = result[name];
    result[name] = isObject(before) && isObject(value) ? joined(before, value) : value;
  }
  return result;
}

export function without(value: JsonObject, name: string): JsonObject {
  const { [name]: _gone, ...rest } = value;
  return rest;
}

function isContainer(value: Json): boolean {
  return Array.isArray(value) || isObject(value);
}
