/** The subject of histories: a kind, its paths, and how to generate its objects. */
import type { SeededRandom } from '../../test/harness/index.ts';
import * as mixture from './mixture.ts';
import type { JsonObject, Step } from './step.ts';
import { type Liberties, randomValue } from './values.ts';

export interface Subject {
  readonly name: string;
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly versions: readonly string[];
  readonly subresources: readonly ('status' | 'scale')[];
  readonly patchTypes: readonly ('json' | 'merge' | 'strategic')[];
  /** The original stores maps and lists of metadata that were emptied by an apply, but never shows them. */
  readonly storesEmptyMetadata: boolean;
  /** How all owners are forgotten: an empty list means that only where the original has a type for the kind. */
  readonly resets: readonly ('emptied' | 'blank')[];
  /** Generates fields beside the metadata. */
  fields(version: string, random: SeededRandom, liberties: Liberties): JsonObject;
}

/** Which of many fields a writer has an opinion on. */
const FIELDS_MAX = 4;

function someFields(
  schema: JsonObject,
  random: SeededRandom,
  liberties: Liberties,
): Record<string, JsonObject[string]> {
  const all = Object.entries(schema.properties as Record<string, JsonObject>);
  const chosen = random.shuffle(all).slice(0, random.int(0, FIELDS_MAX));
  return Object.fromEntries(
    chosen.map(([name, one]) => [name, randomValue(one, random, liberties)]),
  );
}

export const mixtures: Subject = {
  name: 'mixtures',
  group: mixture.GROUP,
  plural: 'mixtures',
  kind: 'Mixture',
  versions: ['v1', 'v2'],
  subresources: ['status', 'scale'],
  patchTypes: ['json', 'merge'],
  storesEmptyMetadata: true,
  resets: ['blank'],
  fields: (version, random, liberties) => ({
    ...(random.chance(0.95) && {
      spec: someFields(mixture.specs[version as 'v1' | 'v2'], random, liberties),
    }),
    ...(random.chance(0.3) && { status: someFields(mixture.status, random, liberties) }),
  }),
};

const names = ['a', 'b', ''] as const;

/** Its two versions have different fields, so ownership in one maps to other fields in the other. */
export const flunders: Subject = {
  name: 'flunders',
  group: 'wardle.example.com',
  plural: 'flunders',
  kind: 'Flunder',
  versions: ['v1alpha1', 'v1beta1'],
  subresources: [],
  patchTypes: ['json', 'merge', 'strategic'],
  storesEmptyMetadata: false,
  resets: ['emptied', 'blank'],
  fields: (version, random, { nonsense }) => ({
    ...(random.chance(0.95) && { spec: flunderSpec(version, random) }),
    ...(random.chance(0.1) && { status: {} }),
    ...(random.chance(nonsense) && { spec: { unknown: true } }),
  }),
};

function flunderSpec(version: string, random: SeededRandom): JsonObject {
  if (random.chance(0.15)) return {};
  const type = random.pick(['Flunder', 'Fischer'] as const);
  const name = random.pick(names);
  const field =
    version === 'v1alpha1'
      ? 'reference'
      : type === 'Flunder'
        ? 'flunderReference'
        : 'fischerReference';
  return {
    ...(random.chance(0.9) && { [field]: name }),
    ...(random.chance(0.85) && { referenceType: type }),
  };
}

/** Where a step is sent. */
export function pathOf(
  { group, plural }: Pick<Subject, 'group' | 'plural'>,
  step: Pick<Step, 'version'>,
  namespace: string,
): string {
  return `/apis/${group}/${step.version}/namespaces/${namespace}/${plural}`;
}
