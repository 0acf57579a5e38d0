import { badRequest, invalid } from '../errors/errors.ts';
import { type FieldError, fieldError } from '../errors/field-error.ts';
import { root } from '../errors/field-path.ts';
import { type Decoded, decodeGoStruct, type GoStruct, GoTypeError } from '../json/go-struct.ts';
import { goJson, goText } from '../values/go-value.ts';
import { booleanParameter, integerParameter, stringParameter } from './query.ts';
import { validateDryRun } from './write-options.ts';

export type DeletionPropagation = 'Foreground' | 'Background' | 'Orphan';

/** Conditions that the object must satisfy when it is deleted. */
export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: Preconditions;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: DeletionPropagation;
  readonly dryRun: boolean;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/** Parses the options of a DELETE without a body. */
export function parseDeleteOptions(query: URLSearchParams): DeleteOptions {
  const uid = stringParameter(query, 'uid');
  const resourceVersion = stringParameter(query, 'resourceVersion');
  const preconditions = {
    ...(uid !== '' && { uid }),
    ...(resourceVersion !== '' && { resourceVersion }),
  };
  return validated({
    gracePeriodSeconds: integerParameter(query, 'gracePeriodSeconds'),
    preconditions: uid === '' && resourceVersion === '' ? undefined : preconditions,
    orphanDependents: booleanParameter(query, 'orphanDependents'),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    dryRun: query.getAll('dryRun'),
    ignoreReadError: booleanParameter(query, ignoreReadErrorField),
  });
}

/** Decodes the options in the body of a DELETE; the query is ignored then. */
export function decodeDeleteOptions(body: unknown): DeleteOptions {
  const fields = decodeBody(body);
  return validated({
    gracePeriodSeconds:
      fields.gracePeriodSeconds === undefined ? undefined : Number(fields.gracePeriodSeconds),
    preconditions: fields.preconditions,
    orphanDependents: fields.orphanDependents,
    propagationPolicy: fields.propagationPolicy,
    dryRun: fields.dryRun ?? [],
    ignoreReadError: fields[ignoreReadErrorField],
  });
}

const ignoreReadErrorField = 'ignoreStoreReadErrorWithClusterBreakingPotential';

const deleteOptionsStruct = {
  type: 'v1.DeleteOptions',
  fields: {
    kind: { kind: 'string', path: 'TypeMeta.kind' },
    apiVersion: { kind: 'string', path: 'TypeMeta.apiVersion' },
    gracePeriodSeconds: { kind: 'int64' },
    preconditions: {
      kind: 'struct',
      struct: {
        type: 'v1.Preconditions',
        fields: {
          uid: { kind: 'string', type: 'types.UID' },
          resourceVersion: { kind: 'string' },
        },
      },
    },
    orphanDependents: { kind: 'bool' },
    propagationPolicy: { kind: 'string', type: 'v1.DeletionPropagation' },
    dryRun: { kind: 'strings' },
    [ignoreReadErrorField]: { kind: 'bool' },
  },
} as const satisfies GoStruct;

function decodeBody(body: unknown): Decoded<typeof deleteOptionsStruct> {
  try {
    return decodeGoStruct(body, deleteOptionsStruct);
  } catch (error) {
    if (error instanceof GoTypeError) throw badRequest(error.message);
    throw error;
  }
}

/** Decoded options before validation. */
interface RawDeleteOptions {
  readonly gracePeriodSeconds: number | undefined;
  readonly preconditions: Preconditions | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly dryRun: readonly string[];
  readonly ignoreReadError: boolean | undefined;
}

function validated(raw: RawDeleteOptions): DeleteOptions {
  const policy = narrowPolicy(raw.propagationPolicy);
  const errors = [
    ...validatePropagation(raw, policy),
    ...validateDryRun(raw.dryRun),
    ...validateIgnoreReadError(raw),
  ];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  const { gracePeriodSeconds, preconditions, orphanDependents, ignoreReadError } = raw;
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(preconditions !== undefined && { preconditions }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(policy !== undefined && { propagationPolicy: policy }),
    dryRun: raw.dryRun.length > 0,
    ...(ignoreReadError !== undefined && { [ignoreReadErrorField]: ignoreReadError }),
  };
}

function validatePropagation(
  { orphanDependents, propagationPolicy }: RawDeleteOptions,
  policy: DeletionPropagation | undefined,
): FieldError[] {
  if (propagationPolicy === undefined) return [];
  const path = root('propagationPolicy');
  const shown = goText(goJson(propagationPolicy));
  const errors: FieldError[] = [];
  if (orphanDependents !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(fieldError.invalid(path, shown, detail));
  }
  if (policy === undefined) {
    errors.push(
      fieldError.notSupported(path, shown, ['Foreground', 'Background', 'Orphan', 'nil']),
    );
  }
  return errors;
}

/** The option to ignore store read errors excludes all others. */
function validateIgnoreReadError(raw: RawDeleteOptions): FieldError[] {
  if (raw.ignoreReadError !== true) return [];
  const excluded: [name: string, isSet: boolean][] = [
    ['propagationPolicy', raw.propagationPolicy !== undefined],
    ['orphanDependents', raw.orphanDependents !== undefined],
    ['gracePeriodSeconds', raw.gracePeriodSeconds !== undefined],
    ['preconditions', raw.preconditions !== undefined],
  ];
  const path = root(ignoreReadErrorField);
  return excluded
    .filter(([, isSet]) => isSet)
    .map(([name]) => fieldError.invalid(path, true, `cannot be set together with .${name}`));
}

function narrowPolicy(policy: string | undefined): DeletionPropagation | undefined {
  if (policy === 'Foreground' || policy === 'Background' || policy === 'Orphan') return policy;
  return undefined;
}
