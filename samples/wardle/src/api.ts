import { defineApi, defineResource, version } from '@tributary/server';
import Type from 'typebox';

const ReferenceType = Type.Union([Type.Literal('Flunder'), Type.Literal('Fischer')], {
  description: 'What kind of object the reference names',
});

/** A Flunder refers to another Flunder or to a Fischer; what it does otherwise nobody knows. */
export const Flunder = defineResource({
  kind: 'Flunder',
  plural: 'flunders',
  scope: 'Namespaced',
  // As the Go sample has it: names are what a URL can carry, and nothing counts generations.
  names: 'path-segment',
  tracksGeneration: false,
  versions: {
    v1alpha1: version({
      description: 'A Flunder refers to another Flunder or to a Fischer',
      spec: Type.Object({
        reference: Type.Optional(Type.String({ description: 'Name of the object referred to' })),
        referenceType: Type.Optional(ReferenceType),
      }),
      status: Type.Object({}),
      columns: [{ name: 'Reference', cell: ({ spec }) => spec.reference ?? '' }],
    }),
  },
});

export const wardle = defineApi({ group: 'wardle.example.com', resources: [Flunder] });
