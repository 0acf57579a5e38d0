import { type FieldError, fieldError, root } from '@tributary/server';
import Type, { type Static } from 'typebox';

const name = (what: string) => Type.Optional(Type.String({ description: `Name of ${what}` }));
const referenceType = Type.Optional(
  Type.String({ description: 'Kind of the object referred to: Flunder or Fischer' }),
);

/** One name, whose meaning depends on its type. */
export const AlphaSpec = Type.Object({ reference: name('the object referred to'), referenceType });

/** A name for each type. */
export const BetaSpec = Type.Object({
  flunderReference: name('another Flunder'),
  fischerReference: name('a Fischer, if not of a Flunder'),
  referenceType,
});

type Alpha = Static<typeof AlphaSpec>;
type Beta = Static<typeof BetaSpec>;

export function alphaToBeta({ reference = '', referenceType }: Alpha): Beta {
  switch (referenceType) {
    case 'Flunder':
      return { ...(reference && { flunderReference: reference }), referenceType };
    case 'Fischer':
      return { ...(reference && { fischerReference: reference }), referenceType };
    default:
      return {}; // a reference of an unknown type has no path
  }
}

export function betaToAlpha({ flunderReference, fischerReference, referenceType }: Beta): Alpha {
  if (referenceType !== 'Flunder' && referenceType !== 'Fischer') return {};
  const reference = referenceType === 'Flunder' ? flunderReference : fischerReference;
  return { ...(reference && { reference }), referenceType };
}

/** The rules, their order and their words are those of the Go sample. */
export function referenceErrors(spec: Beta): FieldError[] {
  const { flunderReference = '', fischerReference = '', referenceType = '' } = spec;
  const errors: FieldError[] = [];
  const refuse = (field: string, value: string, why: string) =>
    errors.push(fieldError.invalid(root('spec').child(field), value, why));

  if (flunderReference && fischerReference) {
    const why = 'cannot be set with flunderReference at the same time';
    refuse('fischerReference', fischerReference, why);
  } else if (flunderReference && referenceType !== 'Flunder') {
    refuse('flunderReference', flunderReference, 'cannot be set if referenceType is not Flunder');
  } else if (fischerReference && referenceType !== 'Fischer') {
    refuse('fischerReference', fischerReference, 'cannot be set if referenceType is not Fischer');
  } else if (!fischerReference && referenceType === 'Fischer') {
    refuse('fischerReference', fischerReference, 'cannot be empty if referenceType is Fischer');
  } else if (!flunderReference && referenceType === 'Flunder') {
    refuse('flunderReference', flunderReference, 'cannot be empty if referenceType is Flunder');
  }
  if (referenceType && referenceType !== 'Flunder' && referenceType !== 'Fischer') {
    refuse('referenceType', referenceType, 'must be Flunder or Fischer');
  }
  return errors;
}

/** Removes empty values, as the Go sample does. */
export function dropEmpty(spec: Alpha & Beta): void {
  const fields = ['reference', 'flunderReference', 'fischerReference', 'referenceType'] as const;
  for (const field of fields) if (spec[field] === '') delete spec[field];
}
