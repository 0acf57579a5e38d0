import type { UserInfo } from '../../request/pipeline.ts';
import type { RequestInfo } from '../../request/request-info.ts';

export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof auditLevels)[number];

export const auditStages = [
  'RequestReceived',
  'ResponseStarted',
  'ResponseComplete',
  'Panic',
] as const;
export type AuditStage = (typeof auditStages)[number];

/** A rule of `audit.k8s.io/v1` Policy; an empty list matches everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly {
    readonly group: string;
    readonly resources: readonly string[];
    readonly resourceNames: readonly string[];
  }[];
  /** The empty name matches cluster-scoped objects. */
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean | undefined;
}

export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** The audit level and stages of a request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** The first matching rule decides; without one a request is not logged. */
export function policyEvaluator(
  policy: AuditPolicy,
): (info: RequestInfo, user: UserInfo | undefined) => AuditDecision {
  const decided = policy.rules.map((rule) => ({
    rule,
    decision: {
      level: rule.level,
      omitStages: [...new Set([...policy.omitStages, ...rule.omitStages])],
      omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields,
    },
  }));
  const { omitStages, omitManagedFields } = policy;
  const nothing: AuditDecision = { level: 'None', omitStages, omitManagedFields };
  return (info, user) => decided.find(({ rule }) => matches(rule, info, user))?.decision ?? nothing;
}

function matches(rule: AuditRule, info: RequestInfo, user: UserInfo | undefined): boolean {
  if (rule.users.length > 0 && !rule.users.includes(user?.name ?? '')) return false;
  if (rule.userGroups.length > 0 && !user?.groups.some((one) => rule.userGroups.includes(one))) {
    return false;
  }
  if (rule.verbs.length > 0 && !rule.verbs.includes(info.verb)) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0) return matchesResource(rule, info);
  if (rule.nonResourceURLs.length > 0) return matchesPath(rule, info);
  return true;
}

function matchesPath({ nonResourceURLs }: AuditRule, info: RequestInfo): boolean {
  if (info.isResourceRequest) return false;
  return nonResourceURLs.some(
    (url) =>
      url === '*' ||
      url === info.path ||
      (url.endsWith('*') && info.path.startsWith(url.replace(/\*+$/, ''))),
  );
}

function matchesResource({ namespaces, resources }: AuditRule, info: RequestInfo): boolean {
  if (!info.isResourceRequest) return false;
  if (namespaces.length > 0 && !namespaces.includes(info.namespace)) return false;
  if (resources.length === 0) return true;
  return resources.some((entry) => {
    if (entry.group !== info.group && entry.group !== '*') return false;
    if (entry.resources.length === 0) return true;
    if (entry.resourceNames.length > 0 && !entry.resourceNames.includes(info.name)) return false;
    return entry.resources.some((pattern) => matchesPattern(pattern, info));
  });
}

function matchesPattern(pattern: string, { resource, subresource }: RequestInfo): boolean {
  if (pattern === '*') return true;
  if (pattern === (subresource === '' ? resource : `${resource}/${subresource}`)) return true;
  if (subresource !== '' && pattern === `*/${subresource}`) return true;
  return pattern === `${resource}/*`;
}
