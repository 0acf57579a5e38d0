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

/** Whether a FlowSchema matches a request: a rule matches both its user and its attributes. */
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
    includesOrAll(rule.verbs, info.verb) &&
    includesOrAll(rule.resources, wanted) &&
    includesOrAll(rule.apiGroups, info.group) &&
    (namespace === '' ? rule.clusterScope === true : includesOrAll(rule.namespaces, namespace))
  );
}

function matchesPath({ verbs, nonResourceURLs }: NonResourcePolicyRule, info: AccessInfo): boolean {
  return (
    includesOrAll(verbs, info.verb) && (nonResourceURLs ?? []).some((url) => covers(url, info.path))
  );
}

/** A path covers its subpaths with or without a star, as upstream. */
function covers(url: string, path: string): boolean {
  if (url === ALL || url === path) return true;
  const start = url.endsWith(ALL) ? url.slice(0, -1) : url;
  return path.startsWith(start.endsWith('/') ? start : `${start}/`);
}

function includesOrAll(list: readonly string[] | null, value: string): boolean {
  return list !== null && (list.includes(value) || (list.length === 1 && list[0] === ALL));
}
