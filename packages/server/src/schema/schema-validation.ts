import type { FieldError, KubeObject } from '@tributary/apimachinery';
import type { ObjectSchema } from '../schema.ts';
import { validateEmbedded } from './embedded-resources.ts';
import { validateListTypes } from './list-types.ts';
import { validateValue } from './validate-value.ts';
import { ERRORS_MAX, leadingTo, Walk } from './walk.ts';

/** Checks the author's part of an object against its schema, as the reference server checks custom resources. */
export function schemaValidator({
  structure,
}: ObjectSchema): (object: KubeObject) => readonly FieldError[] {
  const embedding = leadingTo(structure, (node) => node.embeddedResource);
  const counting = leadingTo(structure, (node) => node.listType !== 'atomic');
  return (object) => {
    const walk = new Walk();
    validateValue(structure, object, walk);
    return [
      ...withoutRepeats(walk.errors),
      ...validateEmbedded(structure, object, undefined, embedding),
      ...validateListTypes(structure, object, undefined, counting),
    ].slice(0, ERRORS_MAX);
  };
}

/** Alternatives may find the same thing several times. */
function withoutRepeats(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>();
  return errors.filter(({ type, field, detail }) => {
    const text = `${type} ${field} ${detail}`;
    return !seen.has(text) && seen.add(text);
  });
}
