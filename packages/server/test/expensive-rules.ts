/** Objects and rules that are made to take time, for the tests of where such rules are asked. */
import type { KubeObject } from '@tributary/apimachinery';
import { burnerData, burnerSchema } from '../../cel/test/burners.ts';
import type { JsonSchema } from '../src/schema/json-schema.ts';
import { rootSchema } from '../src/schema/object-schema.ts';
import { objectValidator } from '../src/validation/schema-validation.ts';

export const burnerObject = {
  apiVersion: 'example.com/v1',
  kind: 'Burner',
  metadata: { name: 'a' },
  spec: burnerData(),
} as unknown as KubeObject;

/** Compiled anew: a pattern remembers what it has learned about texts, and is faster with the same one. */
export function expensiveValidator(rule: string): ReturnType<typeof objectValidator> {
  const spec = { ...burnerSchema, 'x-kubernetes-validations': [{ rule }] };
  return objectValidator(rootSchema({ type: 'object', properties: { spec } } as JsonSchema));
}
