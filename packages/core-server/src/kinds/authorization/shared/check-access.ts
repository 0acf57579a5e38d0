/** Turns the spec of an access review into a request to the authorizer, and its decision into a status. */

import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  NonResourceAttributes,
  ResourceAttributes,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
} from '@tributary/api/authorization-v1';
import { escapeFieldValue, parseFieldSelector, parseLabelSelector } from '@tributary/apimachinery';
import type { AccessInfo, AccessRequest, Authorizer, UserInfo } from '@tributary/server';

export interface AccessSpec {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
}

export function subjectOf({ user, uid, groups, extra }: SubjectAccessReviewSpec): UserInfo {
  return { name: user ?? '', uid: uid ?? '', groups: groups ?? [], extra: extra ?? {} };
}

export interface AccessCheck {
  readonly user: UserInfo;
  readonly question: AccessSpec;
  readonly signal: AbortSignal;
}

/** `denied` means that an authorizer denied the request; without it, none allowed it. */
export async function checkAccess(
  { user, question, signal }: AccessCheck,
  authorize: Authorizer,
): Promise<SubjectAccessReviewStatus> {
  const { info, problems } = accessInfoOf(question);
  const request: AccessRequest = { user, info, cancellation: { signal } };
  try {
    const decision = await authorize(request);
    const { allowed, reason } = decision;
    const isDenied = !allowed && decision.denied === true;
    return statusOf({ allowed, ...(isDenied && { denied: true }), ...(reason && { reason }) }, [
      ...problems,
    ]);
  } catch (error) {
    signal.throwIfAborted();
    const detailText = error instanceof Error ? error.message : String(error);
    return statusOf({ allowed: false }, [detailText, ...problems]);
  }
}

function statusOf(
  status: SubjectAccessReviewStatus,
  problems: readonly string[],
): SubjectAccessReviewStatus {
  return problems.length === 0 ? status : { ...status, evaluationError: problems.join('; ') };
}

interface ParsedSpec {
  readonly info: AccessInfo;
  /** The parts of the selectors that could not be parsed and were ignored. */
  readonly problems: readonly string[];
}

const NOTHING: AccessInfo = {
  isResourceRequest: false,
  verb: '',
  path: '',
  group: '',
  version: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
};

function accessInfoOf({ resourceAttributes, nonResourceAttributes }: AccessSpec): ParsedSpec {
  if (resourceAttributes === undefined) {
    return { info: { ...NOTHING, ...nonResourceAttributes }, problems: [] };
  }
  const { fieldSelector, labelSelector, version, ...rest } = resourceAttributes;
  const fields = fieldSelectorOf(fieldSelector);
  const labels = labelSelectorOf(labelSelector);
  return {
    info: {
      ...NOTHING,
      ...rest,
      isResourceRequest: true,
      version: version || '*',
      fieldSelector: fields.text,
      labelSelector: labels.text,
    },
    problems: [...problemOf('fieldSelector', fields), ...problemOf('labelSelector', labels)],
  };
}

/** The selector in query form. Selectors only narrow access, so an ignored part makes the check stricter. */
interface ParsedSelector {
  readonly text: string;
  readonly isWhole: boolean;
}

function problemOf(name: string, { text, isWhole }: ParsedSelector): string[] {
  if (isWhole) return [];
  const how = text === '' ? 'ignored' : 'partially ignored';
  return [`spec.resourceAttributes.${name} ${how} due to parse error`];
}

function fieldSelectorOf(selector: FieldSelectorAttributes = {}): ParsedSelector {
  const { rawSelector = '', requirements = [] } = selector;
  if (rawSelector !== '') return parseRawSelector(rawSelector, parseFieldSelector(rawSelector).ok);
  const texts = requirements.flatMap(({ key, operator, values }) => {
    const [value, ...more] = values ?? [];
    // Field selectors compare with exactly one value.
    if (value === undefined || more.length > 0) return [];
    if (operator === 'In') return [`${key}=${escapeFieldValue(value)}`];
    return operator === 'NotIn' ? [`${key}!=${escapeFieldValue(value)}`] : [];
  });
  return joined(texts, requirements.length);
}

function labelSelectorOf(selector: LabelSelectorAttributes = {}): ParsedSelector {
  const { rawSelector = '', requirements = [] } = selector;
  if (rawSelector !== '') return parseRawSelector(rawSelector, parseLabelSelector(rawSelector).ok);
  const texts = requirements.flatMap(({ key, operator, values }) => {
    const set = `(${(values ?? []).join(',')})`;
    switch (operator) {
      case 'In':
        return [`${key} in ${set}`];
      case 'NotIn':
        return [`${key} notin ${set}`];
      case 'Exists':
        return [key];
      case 'DoesNotExist':
        return [`!${key}`];
      default:
        return [];
    }
  });
  return joined(texts, requirements.length);
}

function parseRawSelector(text: string, isReadable: boolean): ParsedSelector {
  return { text: isReadable ? text : '', isWhole: isReadable };
}

function joined(texts: readonly string[], count: number): ParsedSelector {
  return { text: texts.join(','), isWhole: texts.length === count };
}
