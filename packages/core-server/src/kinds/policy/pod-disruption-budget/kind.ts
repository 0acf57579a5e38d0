import { PodDisruptionBudget, type PodDisruptionBudgetSpec } from '@tributary/api/policy-v1';
import { type FieldError, fieldError, goJson, goText, root } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { validateSelectorTerms } from '../../../rbac/label-selector-terms.ts';
import { column, count, tableColumns } from '../../shared/columns.ts';
import { intOrPercentErrors, isPercent } from '../../shared/int-or-percent.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { goSelector } from '../../shared/workload-validation.ts';

const SPEC = root('spec');
const POLICIES = ['AlwaysAllow', 'IfHealthyBudget'];

export const podDisruptionBudgetKind = defineResource({
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  scope: 'Namespaced',
  // Upstream does not validate the name.
  names: 'path-segment',
  subresources: { status: true },
  resetFields: { status: ['spec'] },
  versions: {
    v1: version({
      typed: PodDisruptionBudget,
      columns: tableColumns<PodDisruptionBudget>({
        columns: [
          column('Min Available', 'The pods that must stay available', ({ spec }) =>
            shown(spec.minAvailable),
          ),
          column('Max Unavailable', 'The pods that may be unavailable', ({ spec }) =>
            shown(spec.maxUnavailable),
          ),
          count(
            'Allowed Disruptions',
            'The evictions that are allowed now',
            ({ status }) => status.disruptionsAllowed,
          ),
        ],
      }),
      ...validationHooks<PodDisruptionBudget>({
        hasStatus: true,
        names: 'path-segment',
        metadataOnUpdate: 'never',
        anyFinalizer: true,
        validate: ({ spec }) => validateBudget(spec),
      }),
    }),
  },
});

function shown(value: number | string | undefined): string {
  return value === undefined ? 'N/A' : String(value);
}

function validateBudget(spec: PodDisruptionBudgetSpec): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const detail = 'minAvailable and maxUnavailable cannot be both set';
    errors.push(fieldError.invalid(SPEC, asGo(spec), detail));
  }
  errors.push(
    ...amountErrors('minAvailable', minAvailable),
    ...amountErrors('maxUnavailable', maxUnavailable),
    ...validateSelectorTerms(selector ?? {}, SPEC.child('selector')),
  );
  if (policy !== undefined && !POLICIES.includes(policy)) {
    errors.push(
      fieldError.notSupported(SPEC.child('unhealthyPodEvictionPolicy'), policy, POLICIES),
    );
  }
  return errors;
}

function amountErrors(field: string, value: number | string | undefined): FieldError[] {
  if (value === undefined) return [];
  const path = SPEC.child(field);
  const errors = intOrPercentErrors(path, value);
  if (isPercent(value) && Number(value.slice(0, -1)) > 100) {
    errors.push(fieldError.invalid(path, value, 'must not be greater than 100%'));
  }
  return errors;
}

/** Upstream's internal struct as JSON. */
function asGo(spec: PodDisruptionBudgetSpec) {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec;
  const members = [
    `"MinAvailable":${goJson(minAvailable ?? null)}`,
    `"Selector":${goSelector(selector)?.text ?? 'null'}`,
    `"MaxUnavailable":${goJson(maxUnavailable ?? null)}`,
    `"UnhealthyPodEvictionPolicy":${goJson(unhealthyPodEvictionPolicy ?? null)}`,
  ];
  return goText(`{${members.join()}}`);
}
