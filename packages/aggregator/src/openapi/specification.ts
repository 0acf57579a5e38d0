/** An OpenAPI 2.0 document of a backend, as far as merging needs it. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Sections that references `#/SECTION/NAME` lead to. */
export const SECTIONS = ['definitions', 'parameters', 'responses'] as const;
export type Section = (typeof SECTIONS)[number];
export type Named = ReadonlyMap<string, unknown>;

export interface Specification {
  readonly paths: Named;
  readonly definitions: Named;
  readonly parameters: Named;
  readonly responses: Named;
  /** All other top-level fields, such as `info` and `securityDefinitions`. */
  readonly head: JsonObject;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As JSON. */
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
