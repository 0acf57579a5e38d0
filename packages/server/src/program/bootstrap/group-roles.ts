import type { KubeObject } from '@tributary/apimachinery';
import type { ApiDefinition } from '../../definition/api.ts';
import type { ResourceDefinition, ResourceVerb } from '../../definition/resource.ts';
import type { CustomSubresource } from '../../definition/subresource.ts';
import { clusterRole, type PolicyRule } from './access.ts';
import type { Installation } from './bootstrap-options.ts';

const READ_VERBS: readonly ResourceVerb[] = ['get', 'list', 'watch'];

/**
 * Roles for users of the API, which the cluster aggregates into `view`, `edit` and `admin`. Each is complete, and may
 * be bound by itself. Cluster-scoped kinds are included for users with a role in the whole cluster; only `admin` writes
 * them.
 */
export function groupRoles(installation: Installation, api: ApiDefinition): KubeObject[] {
  const { group, resources } = api;
  const inNamespaces = resources.filter(({ scope }) => scope === 'Namespaced');
  const read = rulesOf(group, resources, readRights);
  const roles = {
    view: read,
    edit: [...read, ...rulesOf(group, inNamespaces, writeRights)],
    admin: [...read, ...rulesOf(group, resources, writeRights)],
  };
  return Object.entries(roles).map(([name, rules]) =>
    clusterRole(installation, {
      name: `${group}:${name}`,
      rules,
      labels: { [`rbac.authorization.k8s.io/aggregate-to-${name}`]: 'true' },
    }),
  );
}

/** A resource or subresource, and its verbs. */
interface Right {
  readonly resource: string;
  readonly verbs: readonly string[];
}

/** One rule for all resources with the same verbs. */
function rulesOf(
  group: string,
  resources: readonly ResourceDefinition[],
  rightsOf: (resource: ResourceDefinition) => readonly Right[],
): PolicyRule[] {
  const byVerbs = new Map<string, string[]>();
  for (const { resource, verbs } of resources.flatMap(rightsOf)) {
    if (verbs.length === 0) continue;
    const key = [...verbs].sort().join();
    byVerbs.set(key, [...(byVerbs.get(key) ?? []), resource]);
  }
  return [...byVerbs].sort().map(([verbs, names]) => ({
    apiGroups: [group],
    resources: names.sort(),
    verbs: verbs.split(','),
  }));
}

function readRights(resource: ResourceDefinition): Right[] {
  const { plural, verbs, subresources } = resource;
  return [
    { resource: plural, verbs: verbs.filter((verb) => READ_VERBS.includes(verb)) },
    ...(subresources.status ? [{ resource: `${plural}/status`, verbs: ['get'] }] : []),
    ...(subresources.scale ? [{ resource: `${plural}/scale`, verbs: ['get'] }] : []),
  ];
}

/** Status is written by controllers, which have roles of their own. */
function writeRights(resource: ResourceDefinition): Right[] {
  const { plural, verbs, subresources } = resource;
  return [
    { resource: plural, verbs: verbs.filter((verb) => !READ_VERBS.includes(verb)) },
    ...(subresources.scale ? [{ resource: `${plural}/scale`, verbs: ['patch', 'update'] }] : []),
    ...[...subresources.custom].map(([name, subresource]) => ({
      resource: `${plural}/${name}`,
      verbs: verbsOf(subresource),
    })),
  ];
}

const METHOD_VERBS = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
} as const;

function verbsOf(subresource: CustomSubresource): readonly string[] {
  switch (subresource.type) {
    case 'action':
      return ['create'];
    case 'part':
      return subresource.verbs;
    case 'connect':
      return subresource.methods.map((method) => METHOD_VERBS[method]);
    default:
      return unreachable(subresource);
  }
}

function unreachable(subresource: never): never {
  throw new Error(`unknown subresource ${JSON.stringify(subresource)}`);
}
