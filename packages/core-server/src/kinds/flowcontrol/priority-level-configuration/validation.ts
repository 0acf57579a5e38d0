import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '@tributary/api/flowcontrol-v1';
import {
  declarative,
  type FieldError,
  type FieldPath,
  fieldError,
  goText,
  root,
  validateDnsSubdomainName,
} from '@tributary/apimachinery';
import { mandatoryObjects } from '../../../flow-control/bootstrap-objects.ts';
import { HASH_BITS_MAX, requiredEntropyBits } from '../../../flow-control/shuffle-sharding.ts';
import { isSemanticallyEqual } from '../../../rbac/semantic-equality.ts';
import { metadataErrors } from '../../shared/object-metadata.ts';
import { internalPriorityLevelSpec } from '../shared/internal-form.ts';
import { validateConditions } from '../shared/validate-conditions.ts';

const QUEUES_MAX = 10_000_000;
/** An annotation of v1beta3, where it marked a share of zero. */
const ZERO_SHARES = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
const METADATA_RULES = { namespaced: false, validateName: validateDnsSubdomainName };
const SPEC = root('spec');

export function validatePriorityLevel(level: PriorityLevelConfiguration): FieldError[] {
  const { name = '', annotations = {} } = level.metadata;
  return [
    ...metadataErrors(level, METADATA_RULES),
    ...(Object.hasOwn(annotations, ZERO_SHARES)
      ? [
          fieldError.forbidden(
            root('metadata', 'annotations'),
            `annotation '${ZERO_SHARES}' is forbidden`,
          ),
        ]
      : []),
    ...validateSpec(name, level.spec, SPEC),
    ...validateUnion(level.spec, SPEC),
    ...validateFixed(name, level.spec),
    ...validateConditions(level.status),
  ];
}

function validateSpec(
  name: string,
  { type, limited, exempt }: PriorityLevelConfigurationSpec,
  path: FieldPath,
): FieldError[] {
  const fieldPath = path.child('type');
  const misnamed =
    (name === 'exempt') === (type === 'Exempt')
      ? []
      : [fieldError.invalid(fieldPath, type, "must be 'Exempt' if and only if `name` is 'exempt'")];
  switch (type) {
    case 'Exempt':
      return [...misnamed, ...(exempt ? validateExempt(exempt, path.child('exempt')) : [])];
    case 'Limited':
      return [...misnamed, ...(limited ? validateLimited(limited, path.child('limited')) : [])];
    case '':
      return misnamed;
    default:
      return [...misnamed, fieldError.notSupported(fieldPath, type, ['Exempt', 'Limited'])];
  }
}

/** The fields that each type allows. */
function validateUnion(
  { type, limited, exempt }: PriorityLevelConfigurationSpec,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (exempt && type !== 'Exempt') errors.push(fieldError.forbidden(path.child('exempt')));
  if (limited && type !== 'Limited') errors.push(fieldError.forbidden(path.child('limited')));
  if (!limited && type === 'Limited') errors.push(fieldError.required(path.child('limited')));
  if (type === '') errors.push(fieldError.required(path.child('type')));
  if (limited) {
    const { limitResponse } = limited;
    errors.push(...validateResponseUnion(limitResponse, path.child('limited', 'limitResponse')));
  }
  return errors.map(declarative);
}

function validateResponseUnion({ type, queuing }: LimitResponse, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (queuing && type !== 'Queue') errors.push(fieldError.forbidden(path.child('queuing')));
  if (!queuing && type === 'Queue') errors.push(fieldError.required(path.child('queuing')));
  if (type === '') errors.push(fieldError.required(path.child('type')));
  return errors;
}

function validateLimited(
  limited: LimitedPriorityLevelConfiguration,
  path: FieldPath,
): FieldError[] {
  const { borrowingLimitPercent } = limited;
  return [
    ...validateShares(limited.nominalConcurrencyShares ?? 0, path),
    ...validateResponse(limited.limitResponse, path.child('limitResponse')),
    ...validateLendable(limited.lendablePercent, path),
    ...(borrowingLimitPercent !== undefined && borrowingLimitPercent < 0
      ? [
          fieldError.invalid(
            path.child('borrowingLimitPercent'),
            borrowingLimitPercent,
            'if specified, must be a non-negative integer',
          ),
        ]
      : []),
  ];
}

function validateExempt(exempt: ExemptPriorityLevelConfiguration, path: FieldPath): FieldError[] {
  return [
    ...validateShares(exempt.nominalConcurrencyShares ?? 0, path),
    ...validateLendable(exempt.lendablePercent, path),
  ];
}

function validateShares(shares: number, path: FieldPath): FieldError[] {
  if (shares >= 0) return [];
  const fieldPath = path.child('nominalConcurrencyShares');
  return [fieldError.invalid(fieldPath, shares, 'must be a non-negative integer')];
}

function validateLendable(percent: number | undefined, path: FieldPath): FieldError[] {
  if (percent === undefined || (percent >= 0 && percent <= 100)) return [];
  const fieldPath = path.child('lendablePercent');
  return [fieldError.invalid(fieldPath, percent, 'must be between 0 and 100, inclusive')];
}

function validateResponse({ type, queuing }: LimitResponse, path: FieldPath): FieldError[] {
  switch (type) {
    case 'Queue':
      return queuing ? validateQueuing(queuing, path.child('queuing')) : [];
    case 'Reject':
    case '':
      return [];
    default:
      return [fieldError.notSupported(path.child('type'), type, ['Queue', 'Reject'])];
  }
}

function validateQueuing(queuing: QueuingConfiguration, path: FieldPath): FieldError[] {
  const { queueLengthLimit, queues, handSize } = queuing;
  const errors: FieldError[] = [];
  const wrong = (field: keyof QueuingConfiguration, detail: string) =>
    errors.push(fieldError.invalid(path.child(field), queuing[field], detail));
  if (queueLengthLimit <= 0) wrong('queueLengthLimit', 'must be positive');
  if (queues <= 0) wrong('queues', 'must be positive');
  else if (queues > QUEUES_MAX) wrong('queues', `must not be greater than ${QUEUES_MAX}`);
  if (handSize <= 0) wrong('handSize', 'must be positive');
  else if (handSize > queues) wrong('handSize', `should not be greater than queues (${queues})`);
  else if (requiredEntropyBits(queues, handSize) > HASH_BITS_MAX) {
    wrong(
      'handSize',
      `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${HASH_BITS_MAX}`,
    );
  }
  return errors;
}

/** Of the mandatory levels, only the shares of `exempt` can change. */
function validateFixed(name: string, spec: PriorityLevelConfigurationSpec): FieldError[] {
  const fixed = mandatoryObjects().levels.find(({ metadata }) => metadata.name === name);
  if (fixed === undefined) return [];
  const isExempt = name === 'exempt';
  const { exempt: _exempt, ...rest } = spec;
  const compared = isExempt ? { ...rest, exempt: fixed.spec.exempt } : spec;
  if (isSemanticallyEqual(fixed.spec, compared)) return [];
  const except = isExempt ? " except the 'spec.exempt' field" : '';
  const value = goText(internalPriorityLevelSpec(spec));
  return [fieldError.invalid(SPEC, value, `spec of '${name}'${except} must equal the fixed value`)];
}
