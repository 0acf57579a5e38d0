import { parseFieldSelector, parseLabelSelector } from '@tributary/apimachinery';
import type { AccessInfo, AccessRequest } from '../request/authorizer.ts';

/** The `spec` of a SubjectAccessReview, without empty fields. */
export interface AccessReviewSpec {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly uid?: string;
}

export interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: { readonly requirements: readonly Requirement[] };
  readonly labelSelector?: { readonly requirements: readonly Requirement[] };
}

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Fields are in upstream's order, because the text is also the cache key. */
export function accessReviewSpec({ user, info }: AccessRequest): AccessReviewSpec {
  const { name, groups, extra, uid } = user;
  return {
    ...(info.isResourceRequest
      ? { resourceAttributes: resourceAttributes(info) }
      : { nonResourceAttributes: filled({ path: info.path, verb: info.verb }) }),
    ...filled({ user: name }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra: sorted(extra) }),
    ...filled({ uid }),
  };
}

function resourceAttributes(info: AccessInfo): ResourceAttributes {
  const { namespace, verb, group, version, resource, subresource, name } = info;
  const fields = fieldRequirements(info.fieldSelector);
  const labels = labelRequirements(info.labelSelector);
  return {
    ...filled({ namespace, verb, group, version, resource, subresource, name }),
    ...(fields.length > 0 && { fieldSelector: { requirements: fields } }),
    ...(labels.length > 0 && { labelSelector: { requirements: labels } }),
  };
}

/** Selectors only narrow a request. An invalid one is omitted, which requires a broader permission. */
function fieldRequirements(text: string): Requirement[] {
  const parsed = parseFieldSelector(text);
  if (!parsed.ok) return [];
  return parsed.selector.requirements.map(({ field, operator, value }) => ({
    key: field,
    operator: operator === '=' ? 'In' : 'NotIn',
    values: [value],
  }));
}

const LABEL_OPERATORS: Readonly<Record<string, string>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

function labelRequirements(text: string): Requirement[] {
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) return [];
  return parsed.selector.requirements.flatMap(({ key, operator, values }) => {
    const name = LABEL_OPERATORS[operator];
    if (name === undefined) return [];
    return [{ key, operator: name, ...(values.length > 0 && { values }) }];
  });
}

function filled<Fields extends Record<string, string>>(fields: Fields): Partial<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== '');
  return Object.fromEntries(entries) as Partial<Fields>;
}

function sorted<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
}
