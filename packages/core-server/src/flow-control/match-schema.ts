import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '@tributary/api/flowcontrol-v1';
import type { AccessInfo, UserInfo } from '@tributary/server';

const SERVICE_ACCOUNT = 'system:serviceaccount:';
const ALL = '*';

/** Whether a request belongs to a FlowSchema: one of its subjects wants something of one of its rules. */
export function matchesSchema(
  { rules = [] }: Pick<FlowSchemaSpec, 'rules'>,
  user: UserInfo,
  info: AccessInfo,
): boolean {
  return rules.some((rule) => matchesRule(rule, user, info));
}

function matchesRule(
  { subjects, resourceRules = [], nonResourceRules = [] }: PolicyRulesWithSubjects,
  user: UserInfo,
  info: AccessInfo,
): boolean {
  if (!subjects?.some((subject) => matchesSubject(subject, user))) return false;
  return info.isResourceRequest
    ? resourceRules.some((rule) => matchesResource(rule, info))
    : nonResourceRules.some((rule) => matchesPath(rule, info));
}

function matchesSubject(subject: Subject, { name, groups }: UserInfo): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.user !== undefined && [ALL, name].includes(subject.user.name);
    case 'Group': {
      const wanted = subject.group?.name;
      return wanted !== undefined && (wanted === ALL || groups.includes(wanted));
    }
    case 'ServiceAccount': {
      if (subject.serviceAccount === undefined) return false;
      const { namespace, name: account } = subject.serviceAccount;
      const start = `${SERVICE_ACCOUNT}${namespace}:`;
      return account === ALL ? name.startsWith(start) : name === `${start}${account}`;
    }
    default:
      return false;
  }
}

function matchesResource(rule: ResourcePolicyRule, info: AccessInfo): boolean {
  const { resource, subresource, namespace } = info;
  const wanted = subresource === '' ? resource : `${resource}/${subresource}`;
  return (
    holds(rule.verbs, info.verb) &&
    holds(rule.resources, wanted) &&
    holds(rule.apiGroups, info.group) &&
    (namespace === '' ? rule.clusterScope === true : holds(rule.namespaces, namespace))
  );
}

function matchesPath({ verbs, nonResourceURLs }: NonResourcePolicyRule, info: AccessInfo): boolean {
  return holds(verbs, info.verb) && (nonResourceURLs ?? []).some((url) => covers(url, info.path));
}

/** A path covers what is below it, whether it says so by a star or not; as upstream. */
function covers(url: string, path: string): boolean {
  if (url === ALL || url === path) return true;
  const start = url.endsWith(ALL) ? url.slice(0, -1) : url;
  return path.startsWith(start.endsWith('/') ? start : `${start}/`);
}

function holds(list: readonly string[] | null, value: string): boolean {
  return list !== null && (list.includes(value) || (list.length === 1 && list[0] === ALL));
}
