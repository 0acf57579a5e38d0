/** A document of OpenAPI 2.0 that another server wrote, as far as it must be understood to be merged. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** What is referred to by `#/SECTION/NAME`. */
export const SECTIONS = ['definitions', 'parameters', 'responses'] as const;
export type Section = (typeof SECTIONS)[number];
export type Named = ReadonlyMap<string, unknown>;

export interface Specification {
  readonly paths: Named;
  readonly definitions: Named;
  readonly parameters: Named;
  readonly responses: Named;
  /** Everything else at the top: what the whole is called, and how one logs in. */
  readonly head: JsonObject;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As it is written. */
export function documentOf({ head, ...named }: Specification): JsonObject {
  const { parameters, responses } = named;
  return {
    ...head,
    paths: Object.fromEntries(named.paths),
    definitions: Object.fromEntries(named.definitions),
    ...(parameters.size > 0 && { parameters: Object.fromEntries(parameters) }),
    ...(responses.size > 0 && { responses: Object.fromEntries(responses) }),
  };
}
