import type { MutatingWebhook, ValidatingWebhook } from '@tributary/api/admissionregistration-v1';
import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  type FieldPath,
  fieldError,
  type ObjectMeta,
  root,
  validateDnsSubdomainName,
} from '@tributary/apimachinery';
import { metadataErrors } from '../../shared/object-metadata.ts';
import { validateClientConfig } from '../../shared/validate-client-config.ts';
import { duplicateIndexes, validateSupported } from '../../shared/validate-values.ts';
import { MATCH_POLICIES, validateMatchConditions, validateSelectors } from './validate-match.ts';
import { validateRule } from './validate-rules.ts';

type Webhook = ValidatingWebhook & Pick<MutatingWebhook, 'reinvocationPolicy'>;

export const METADATA_RULES = {
  namespaced: false,
  validateName: validateDnsSubdomainName,
  anyFinalizer: true,
} as const;
export const FAILURE_POLICIES: readonly string[] = ['Fail', 'Ignore'];
export const REINVOCATION_POLICIES: readonly string[] = ['IfNeeded', 'Never'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const SEGMENTS_MIN = 3;
const TIMEOUT_SECONDS_MAX = 30;

export function validateWebhooks(configuration: {
  readonly metadata: ObjectMeta;
  readonly webhooks?: readonly Webhook[];
}): FieldError[] {
  const { webhooks = [] } = configuration;
  const repeated = duplicateIndexes(webhooks.map(({ name }) => name));
  return [
    ...metadataErrors(configuration, METADATA_RULES),
    ...webhooks.flatMap((webhook, index) => {
      const path = root('webhooks').index(index);
      const name = path.child('name');
      return [
        ...validateWebhook(webhook, path),
        ...validateReviewVersions(
          webhook.admissionReviewVersions ?? [],
          path.child('admissionReviewVersions'),
        ),
        ...(webhook.name !== '' && repeated.has(index)
          ? [fieldError.duplicate(name, webhook.name)]
          : []),
      ];
    }),
  ];
}

function validateWebhook(webhook: Webhook, path: FieldPath): FieldError[] {
  const { rules = [], matchConditions = [], clientConfig, sideEffects } = webhook;
  const at = (name: string) => path.child(name);
  return [
    ...validateWebhookName(webhook.name, at('name')),
    ...rules.flatMap((rule, index) => validateRule(rule, at('rules').index(index))),
    ...validateSupported(webhook.failurePolicy, FAILURE_POLICIES, at('failurePolicy')),
    ...validateSupported(webhook.matchPolicy, MATCH_POLICIES, at('matchPolicy')),
    ...(sideEffects === null
      ? [fieldError.required(at('sideEffects'), `must specify one of ${SIDE_EFFECTS.join(', ')}`)]
      : validateSupported(sideEffects, SIDE_EFFECTS, at('sideEffects'))),
    ...validateTimeout(webhook.timeoutSeconds, at('timeoutSeconds')),
    ...validateSelectors(webhook, path),
    ...validateSupported(
      webhook.reinvocationPolicy,
      REINVOCATION_POLICIES,
      at('reinvocationPolicy'),
    ),
    ...validateClientConfig(clientConfig, at('clientConfig')),
    ...validateMatchConditions(matchConditions, at('matchConditions')),
  ];
}

/** A fully qualified name, so that two installations do not choose the same. */
function validateWebhookName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [fieldError.required(path)];
  const errors = dns1123SubdomainErrors(name);
  if (errors.length > 0) return [fieldError.invalid(path, name, errors.join(','))];
  if (name.split('.').length >= SEGMENTS_MIN) return [];
  const detail = 'should be a domain with at least three segments separated by dots';
  return [fieldError.invalid(path, name, detail)];
}

function validateTimeout(seconds: number | undefined, path: FieldPath): FieldError[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= TIMEOUT_SECONDS_MAX)) return [];
  const detail = `the timeout value must be between 1 and ${TIMEOUT_SECONDS_MAX} seconds`;
  return [fieldError.invalid(path, seconds, detail)];
}

function validateReviewVersions(versions: readonly string[], path: FieldPath): FieldError[] {
  const known = REVIEW_VERSIONS.join(', ');
  if (versions.length === 0) return [fieldError.required(path, `must specify one of ${known}`)];
  const repeated = duplicateIndexes(versions);
  const errors = versions.flatMap((version, index) => {
    const details = repeated.has(index) ? ['duplicate version'] : dns1035LabelErrors(version);
    return details.map((detail) => fieldError.invalid(path.index(index), version, detail));
  });
  if (versions.some((version) => REVIEW_VERSIONS.includes(version))) return errors;
  return [...errors, fieldError.invalid(path, versions, `must include at least one of ${known}`)];
}
