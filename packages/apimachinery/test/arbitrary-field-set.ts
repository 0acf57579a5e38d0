import fc from 'fast-check';
import { FieldSet } from '../src/apply/field-set.ts';
import {
  fieldElement,
  keyElement,
  type PathElement,
  valueElement,
} from '../src/apply/path-element.ts';

const names = fc.oneof(fc.constantFrom('a', 'b', 'c', '__proto__', '.'), fc.string());
const element: fc.Arbitrary<PathElement> = fc.oneof(
  names.map(fieldElement),
  names.map((name) => keyElement([['name', name]])),
  fc.integer({ min: 0, max: 3 }).map((port) =>
    keyElement([
      ['port', port],
      ['protocol', 'TCP'],
    ]),
  ),
  fc.oneof(names, fc.integer(), fc.boolean()).map(valueElement),
  fc.integer({ min: 0, max: 3 }).map((index) => `i:${index}`),
);

/** Sets of few different elements, so that two sets often overlap. */
export const arbitraryFieldSet: fc.Arbitrary<FieldSet> = fc
  .array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 8 })
  .map((paths) => FieldSet.of(...paths));
