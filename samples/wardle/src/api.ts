import {
  defineApi,
  defineResource,
  type FieldError,
  fieldError,
  root,
  version,
} from '@tributary/server';
import Type from 'typebox';

const REFERENCE_TYPES = new Set(['Flunder', 'Fischer']);

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
      deprecated: { since: 'v1.3', unavailableIn: 'v1.10' },
      spec: Type.Object({
        reference: Type.Optional(Type.String({ description: 'Name of the object referred to' })),
        referenceType: Type.Optional(
          Type.String({ description: 'Kind of the object referred to: Flunder or Fischer' }),
        ),
      }),
      status: Type.Object({}),
      columns: [{ name: 'Reference', cell: ({ spec }) => spec.reference ?? '' }],
      applyDefaults: (flunder) => {
        flunder.spec ??= {};
        if (flunder.spec.reference) flunder.spec.referenceType ||= 'Flunder';
        // The Go sample keeps a field for each type it knows; a reference of another type has no place.
        if (!REFERENCE_TYPES.has(flunder.spec.referenceType ?? '')) flunder.spec = {};
        flunder.status = {};
      },
      validate: ({ spec: { reference, referenceType } }) =>
        referenceType === undefined || reference ? [] : [emptyReference(referenceType)],
      validateUpdate: () => [], // as in the Go sample, whose strategy looks at new objects only
    }),
  },
});

/** Named as in the Go sample's internal type, in which each kind of reference has a field of its own. */
function emptyReference(referenceType: string): FieldError {
  const field = root('spec').child(`${referenceType.toLowerCase()}Reference`);
  return fieldError.invalid(field, '', `cannot be empty if referenceType is ${referenceType}`);
}

/** A Fischer names the Flunders it does not like. */
export const Fischer = defineResource({
  kind: 'Fischer',
  plural: 'fischers',
  scope: 'Cluster',
  names: 'path-segment',
  tracksGeneration: false,
  versions: {
    v1alpha1: version({
      description: 'A Fischer names the Flunders it does not like',
      deprecated: { since: 'v1.3', unavailableIn: 'v1.10' },
      fields: {
        disallowedFlunders: Type.Array(Type.String(), { description: 'Names of Flunders' }),
      },
    }),
  },
});

export const wardle = defineApi({ group: 'wardle.example.com', resources: [Fischer, Flunder] });
