import { allow, defineApi, defineResource, forbid, version } from '@tributary/server';
import Type from 'typebox';
import {
  AlphaSpec,
  alphaToBeta,
  BetaSpec,
  betaToAlpha,
  dropEmpty,
  referenceErrors,
} from './references.ts';

const deprecated = { since: 'v1.3', unavailableIn: 'v1.10' };
// As the Go sample has it: names are what a URL can carry, and nothing counts generations.
const asInGo = { names: 'path-segment', tracksGeneration: false } as const;

/** A Fischer names the Flunders it does not like. */
export const Fischer = defineResource({
  ...asInGo,
  kind: 'Fischer',
  plural: 'fischers',
  shortNames: ['fi'],
  scope: 'Cluster',
  versions: {
    v1alpha1: version({
      description: 'A Fischer names the Flunders it does not like',
      deprecated,
      fields: {
        disallowedFlunders: Type.Array(Type.String(), { description: 'Names of Flunders' }),
      },
    }),
  },
});

/** A Flunder refers to another Flunder or to a Fischer. */
export const Flunder = defineResource({
  ...asInGo,
  kind: 'Flunder',
  plural: 'flunders',
  shortNames: ['fl'],
  scope: 'Namespaced',
  storageVersion: 'v1beta1',
  versions: {
    v1beta1: version({
      description: 'A Flunder refers to another Flunder or to a Fischer',
      spec: BetaSpec,
      status: Type.Object({}),
      columns: [
        {
          name: 'Reference',
          cell: ({ spec }) => spec.flunderReference ?? spec.fischerReference ?? '',
        },
      ],
      applyDefaults: fillIn,
      validate: ({ spec }) => referenceErrors(spec),
      validateUpdate: () => [], // the Go sample looks at new objects only
      canonicalise: (flunder) => {
        // The Go sample stores v1alpha1, which has no place for a reference of a type that is not told.
        flunder.spec = alphaToBeta(betaToAlpha(flunder.spec));
      },
    }),
    v1alpha1: version({
      description: 'A Flunder refers to another Flunder or to a Fischer',
      deprecated,
      spec: AlphaSpec,
      status: Type.Object({}),
      columns: [{ name: 'Reference', cell: ({ spec }) => spec.reference ?? '' }],
      applyDefaults: (flunder) => {
        fillIn(flunder);
        if (flunder.spec.reference) flunder.spec.referenceType ||= 'Flunder';
      },
    }),
  },
  conversions: {
    v1alpha1: {
      toStorage: ({ spec, status = {} }) => ({ spec: alphaToBeta(spec), status }),
      fromStorage: ({ spec, status = {} }) => ({ spec: betaToAlpha(spec), status }),
    },
  },
  admit: {
    create: async ({ name, read }) =>
      (await read(Fischer).list()).some((fischer) => fischer.disallowedFlunders?.includes(name))
        ? forbid('this name may not be used, please change the resource name')
        : allow,
  },
});

/** Adds the fields that the Go sample always writes, and removes those that it never does. */
function fillIn(flunder: { spec?: object; status?: object }): void {
  flunder.spec ??= {};
  flunder.status = {};
  dropEmpty(flunder.spec);
}

export const wardle = defineApi({ group: 'wardle.example.com', resources: [Fischer, Flunder] });
