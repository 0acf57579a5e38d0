import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import { type FieldError, fieldError } from '@tributary/apimachinery';
import { childOf, elementOf, fieldOf, type Place } from './lazy-path.ts';

/** Whether what is judged at the root is also said there: where each of the two stands is told. */
export function validateComplete(
  schema: JSONSchemaProps,
  place: Place,
  errors: FieldError[],
): void {
  judged(schema, { schema, said: place, judging: place }, errors);
}

interface Both {
  /** What is said of the value. */
  readonly schema: JSONSchemaProps;
  readonly said: Place;
  readonly judging: Place;
}

function judged(judge: JSONSchemaProps, both: Both, errors: FieldError[]): void {
  const { judging } = both;
  if (judge.not !== undefined) {
    complete(judge.not, { ...both, judging: childOf(judging, 'not') }, errors);
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [at, one] of (judge[keyword] ?? []).entries()) {
      complete(one, { ...both, judging: elementOf(judging, keyword, at) }, errors);
    }
  }
}

function complete(judge: JSONSchemaProps, both: Both, errors: FieldError[]): void {
  const { schema, said, judging } = both;
  const { items, properties = {} } = judge;
  const known = schema.properties ?? {};
  judged(judge, both, errors);
  if (items !== undefined && !Array.isArray(items)) {
    const places = { said: childOf(said, 'items'), judging: childOf(judging, 'items') };
    within(items, schema.items, places, errors);
  }
  for (const [name, field] of Object.entries(properties)) {
    const places = {
      said: fieldOf(said, 'properties', name),
      judging: fieldOf(judging, 'properties', name),
    };
    within(field, Object.hasOwn(known, name) ? known[name] : undefined, places, errors);
  }
}

function within(
  judge: JSONSchemaProps,
  schema: JSONSchemaProps['items'],
  places: Pick<Both, 'said' | 'judging'>,
  errors: FieldError[],
): void {
  if (schema !== undefined && !Array.isArray(schema)) {
    complete(judge, { schema, ...places }, errors);
    return;
  }
  const detail = `because it is defined in ${places.judging()}`;
  errors.push(fieldError.required(places.said(), detail));
}
