import type { CustomResourceConversion } from '@tributary/api/apiextensions-v1';
import {
  dns1035LabelErrors,
  type FieldError,
  type FieldPath,
  fieldError,
} from '@tributary/apimachinery';
import { validateClientConfig } from '../../kinds/shared/validate-client-config.ts';
import { duplicateIndexes, validateRequiredSupported } from '../../kinds/shared/validate-values.ts';
import { caBundleError } from './ca-bundle.ts';

const STRATEGIES = ['None', 'Webhook'];
const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];

interface ConversionRules {
  /** At least one review version must be known; not required where none was before. */
  readonly requireKnownReview: boolean;
  /** An invalid bundle is accepted while the webhook cannot be called. */
  readonly allowInvalidBundle: boolean;
}

export function validateConversion(
  conversion: CustomResourceConversion | undefined,
  path: FieldPath,
  rules: ConversionRules,
): FieldError[] {
  if (conversion === undefined) return [];
  const { strategy, webhook } = conversion;
  const errors = validateRequiredSupported(strategy, STRATEGIES, path.child('strategy'));
  const clientConfig = path.child('webhookClientConfig');
  const reviews = path.child('conversionReviewVersions');
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy === 'Webhook') {
    return [
      ...errors,
      ...(webhook?.clientConfig === undefined
        ? [fieldError.required(clientConfig, 'required when strategy is set to Webhook')]
        : [
            ...validateClientConfig(webhook.clientConfig, clientConfig),
            ...validateBundle(webhook.clientConfig.caBundle, clientConfig.child('caBundle'), rules),
          ]),
      ...validateReviews(versions, reviews, rules),
    ];
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig !== undefined) errors.push(fieldError.forbidden(clientConfig, detail));
  if (versions.length > 0) errors.push(fieldError.forbidden(reviews, detail));
  return errors;
}

function validateBundle(
  bundle: string | undefined,
  path: FieldPath,
  { allowInvalidBundle }: ConversionRules,
): FieldError[] {
  const reason = allowInvalidBundle ? undefined : caBundleError(bundle);
  return reason === undefined ? [] : [fieldError.invalid(path, bundle, reason)];
}

function validateReviews(
  versions: readonly string[],
  path: FieldPath,
  { requireKnownReview }: ConversionRules,
): FieldError[] {
  if (versions.length === 0) return [fieldError.required(path)];
  const repeated = duplicateIndexes(versions);
  const errors = versions.flatMap((version, at) => {
    const details = repeated.has(at) ? ['duplicate version'] : dns1035LabelErrors(version);
    return details.map((detail) => fieldError.invalid(path.index(at), version, detail));
  });
  if (!requireKnownReview || isKnownReview(versions)) return errors;
  const detail = `must include at least one of ${REVIEW_VERSIONS.join(', ')}`;
  return [...errors, fieldError.invalid(path, versions, detail)];
}

export function isKnownReview(versions: readonly string[]): boolean {
  return versions.some((version) => REVIEW_VERSIONS.includes(version));
}
