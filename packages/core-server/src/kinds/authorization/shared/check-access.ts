/** A question about access as an authorizer is asked it, and its answer. */

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

export interface AccessQuestion {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
}

export function subjectOf({ user, uid, groups, extra }: SubjectAccessReviewSpec): UserInfo {
  return { name: user ?? '', uid: uid ?? '', groups: groups ?? [], extra: extra ?? {} };
}

export interface Asking {
  readonly user: UserInfo;
  readonly question: AccessQuestion;
  readonly signal: AbortSignal;
}

/** `denied` says that somebody refuses it, which is more than that nobody allows it. */
export async function answerQuestion(
  { user, question, signal }: Asking,
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
    const why = error instanceof Error ? error.message : String(error);
    return statusOf({ allowed: false }, [why, ...problems]);
  }
}

function statusOf(
  status: SubjectAccessReviewStatus,
  problems: readonly string[],
): SubjectAccessReviewStatus {
  return problems.length === 0 ? status : { ...status, evaluationError: problems.join('; ') };
}

interface ReadQuestion {
  readonly info: AccessInfo;
  /** What of the question was not understood, and left out. */
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

function accessInfoOf({ resourceAttributes, nonResourceAttributes }: AccessQuestion): ReadQuestion {
  if (resourceAttributes === undefined) {
    return { info: { ...NOTHING, ...nonResourceAttributes }, problems: [] };
  }
  const { fieldSelector, labelSelector, version, ...rest } = resourceAttributes;
  const fields = readFields(fieldSelector);
  const labels = readLabels(labelSelector);
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

/** The selector in the form of a query. It only narrows: what is left out makes the question a broader one. */
interface ReadSelector {
  readonly text: string;
  readonly isWhole: boolean;
}

function problemOf(name: string, { text, isWhole }: ReadSelector): string[] {
  if (isWhole) return [];
  const how = text === '' ? 'ignored' : 'partially ignored';
  return [`spec.resourceAttributes.${name} ${how} due to parse error`];
}

function readFields(selector: FieldSelectorAttributes = {}): ReadSelector {
  const { rawSelector = '', requirements = [] } = selector;
  if (rawSelector !== '') return readText(rawSelector, parseFieldSelector(rawSelector).ok);
  const texts = requirements.flatMap(({ key, operator, values }) => {
    const [value, ...more] = values ?? [];
    // Fields are compared with one value, and nothing else.
    if (value === undefined || more.length > 0) return [];
    if (operator === 'In') return [`${key}=${escapeFieldValue(value)}`];
    return operator === 'NotIn' ? [`${key}!=${escapeFieldValue(value)}`] : [];
  });
  return joined(texts, requirements.length);
}

function readLabels(selector: LabelSelectorAttributes = {}): ReadSelector {
  const { rawSelector = '', requirements = [] } = selector;
  if (rawSelector !== '') return readText(rawSelector, parseLabelSelector(rawSelector).ok);
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

function readText(text: string, isReadable: boolean): ReadSelector {
  return { text: isReadable ? text : '', isWhole: isReadable };
}

function joined(texts: readonly string[], count: number): ReadSelector {
  return { text: texts.join(','), isWhole: texts.length === count };
}
