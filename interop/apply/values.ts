/** Random values of a schema, from pools that are small enough for managers to meet. */
import type { SeededRandom } from '../../test/harness/index.ts';
import type { Json, JsonObject } from './step.ts';

const words = ['a', 'b', 'c'] as const;
const keys = ['k1', 'k2', 'k3'] as const;
const ITEMS_MAX = 3;

export interface Liberties {
  /** How often a value is null, or empty, or of another type than it should be. */
  readonly nulls: number;
  readonly empties: number;
  readonly nonsense: number;
  /** How often something that must be there is missing, or a list has an item twice. */
  readonly faults: number;
}

export function randomValue(schema: JsonObject, random: SeededRandom, liberties: Liberties): Json {
  if (random.chance(liberties.nulls)) return null;
  if (random.chance(liberties.nonsense)) return random.pick(['wrong', 7, true, {}, [], ['x']]);
  if (schema['x-kubernetes-int-or-string'] === true) return random.pick([80, 'http', 81]);
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time'
        ? random.pick(['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z'])
        : random.pick(words);
    case 'integer':
      return schema.format === 'int64' ? random.pick([1, 2, 4_000_000_000]) : random.int(0, 3);
    case 'number':
      return random.pick([0.5, 1, 2.25]);
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return randomItems(schema, random, liberties);
    case 'object':
      return schema['x-kubernetes-embedded-resource'] === true
        ? randomTemplate(random)
        : randomFields(schema, random, liberties);
    default:
      return randomAnything(random, 2);
  }
}

function randomFields(schema: JsonObject, random: SeededRandom, liberties: Liberties): JsonObject {
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>;
  const required = (schema.required ?? []) as readonly string[];
  if (required.length === 0 && random.chance(liberties.empties)) return {};
  const fields: Record<string, Json> = {};
  for (const [name, one] of Object.entries(properties)) {
    if (required.includes(name) ? !random.chance(liberties.faults) : random.chance(0.5)) {
      fields[name] = randomValue(one, random, liberties);
    }
  }
  const { additionalProperties } = schema;
  if (additionalProperties) {
    for (const key of random.shuffle(keys).slice(0, random.int(1, 2))) {
      fields[key] = randomValue(additionalProperties as JsonObject, random, liberties);
    }
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) {
    for (const key of random.shuffle(keys).slice(0, random.int(0, 2))) {
      fields[key] = randomAnything(random, 2);
    }
  }
  return fields;
}

function randomItems(schema: JsonObject, random: SeededRandom, liberties: Liberties): Json[] {
  if (random.chance(liberties.empties)) return [];
  const items = Array.from({ length: random.int(1, ITEMS_MAX) }, () =>
    randomValue(schema.items as JsonObject, random, liberties),
  );
  // Most lists have no item twice; those that do are refused, or tolerated where they are live.
  return random.chance(liberties.faults) ? items : distinct(items, schema);
}

function distinct(items: readonly Json[], schema: JsonObject): Json[] {
  const listKeys = (schema['x-kubernetes-list-map-keys'] ?? []) as readonly string[];
  if (schema['x-kubernetes-list-type'] === undefined) return [...items];
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = JSON.stringify(
      listKeys.length > 0 ? listKeys.map((name) => keyOf(item, name, schema)) : item,
    );
    return !seen.has(key) && seen.add(key);
  });
}

function keyOf(item: Json, name: string, schema: JsonObject): Json {
  const own = isObject(item) ? item[name] : undefined;
  const { properties } = schema.items as { properties: Record<string, { default?: Json }> };
  return own ?? properties[name]?.default ?? null;
}

function randomTemplate(random: SeededRandom): JsonObject {
  return {
    apiVersion: 'v1',
    kind: random.pick(['Pod', 'Thing']),
    ...(random.chance(0.6) && {
      metadata: {
        ...(random.chance(0.6) && { name: random.pick(words) }),
        ...(random.chance(0.4) && { labels: { [random.pick(keys)]: random.pick(words) } }),
      },
    }),
    ...(random.chance(0.6) && { spec: randomAnything(random, 2) }),
  };
}

/** Where nothing is said about the type. */
function randomAnything(random: SeededRandom, depth: number): Json {
  const kind = depth === 0 ? 0 : random.int(0, 3);
  if (kind === 1) return words.slice(0, random.int(0, 2));
  if (kind <= 1) return random.pick(['a', 'b', 1, 2, true, false]);
  const names = random.shuffle(keys).slice(0, random.int(0, 2));
  return Object.fromEntries(names.map((name) => [name, randomAnything(random, depth - 1)]));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
