/** A straightforward RBAC: evaluates every rule of every binding for each request. */
import type { AccessInfo, UserInfo } from '@tributary/server';
import type { PolicyRule, RbacObjects, RbacResource, RoleRef, Subject } from '../src/rbac/types.ts';

export class NaivePolicy {
  readonly #objects: { [Resource in RbacResource]: Map<string, RbacObjects[Resource]> } = {
    roles: new Map(),
    clusterroles: new Map(),
    rolebindings: new Map(),
    clusterrolebindings: new Map(),
  };

  put<Resource extends RbacResource>(resource: Resource, object: RbacObjects[Resource]): void {
    const { namespace = '', name = '' } = object.metadata;
    this.#objects[resource].set(`${namespace}/${name}`, object);
  }

  remove(resource: RbacResource, namespace: string, name: string): void {
    this.#objects[resource].delete(`${namespace}/${name}`);
  }

  /** The names of all bindings that allow the request. */
  allowingBindings(user: UserInfo, info: AccessInfo): string[] {
    return this.#boundTo(user, info.namespace)
      .filter(({ rules }) => rules?.some((rule) => ruleAllows(rule, info)))
      .map(({ name }) => name);
  }

  /** All rules of a user, as sorted text. */
  rulesOf(user: UserInfo, namespace: string): string[] {
    return this.#boundTo(user, namespace)
      .flatMap(({ rules = [] }) => rules.map((rule) => JSON.stringify(rule)))
      .sort();
  }

  missingRoles(user: UserInfo, namespace: string): string[] {
    return this.#boundTo(user, namespace)
      .filter(({ rules }) => rules === undefined)
      .map(({ roleRef }) => `${roleRef.kind} ${roleRef.name}`)
      .sort();
  }

  #boundTo(user: UserInfo, namespace: string): Bound[] {
    const bindings = [
      ...this.#objects.clusterrolebindings.values(),
      ...[...this.#objects.rolebindings.values()].filter(
        ({ metadata }) => namespace !== '' && metadata.namespace === namespace,
      ),
    ];
    return bindings
      .filter(({ subjects, metadata }) =>
        subjects?.some((subject) => applies(user, subject, metadata.namespace ?? '')),
      )
      .map(({ roleRef, metadata }) => {
        const { namespace: home = '', name = '' } = metadata;
        return {
          name: home === '' ? name : `${name}/${home}`,
          roleRef,
          rules: this.#rules(roleRef, home),
        };
      });
  }

  #rules({ kind, name }: RoleRef, namespace: string): PolicyRule[] | undefined {
    const found =
      kind === 'ClusterRole'
        ? this.#objects.clusterroles.get(`/${name}`)
        : kind === 'Role'
          ? this.#objects.roles.get(`${namespace}/${name}`)
          : undefined;
    return found === undefined ? undefined : (found.rules ?? []);
  }
}

interface Bound {
  readonly name: string;
  readonly roleRef: RoleRef;
  readonly rules: PolicyRule[] | undefined;
}

function applies(user: UserInfo, subject: Subject, namespace: string): boolean {
  if (subject.kind === 'User') return subject.name === user.name;
  if (subject.kind === 'Group') return user.groups.some((group) => group === subject.name);
  if (subject.kind !== 'ServiceAccount') return false;
  const home = subject.namespace ? subject.namespace : namespace;
  return home !== '' && user.name === ['system:serviceaccount', home, subject.name].join(':');
}

function ruleAllows(rule: PolicyRule, info: AccessInfo): boolean {
  const {
    verbs = [],
    apiGroups = [],
    resources = [],
    resourceNames = [],
    nonResourceURLs = [],
  } = rule;
  if (!verbs.some((verb) => verb === '*' || verb === info.verb)) return false;
  if (!info.isResourceRequest) {
    return nonResourceURLs.some(
      (url) =>
        url === info.path || (url.endsWith('*') && info.path.startsWith(url.replace(/\*+$/, ''))),
    );
  }
  const { resource, subresource } = info;
  return (
    apiGroups.some((group) => group === '*' || group === info.group) &&
    resources.some(
      (one) =>
        one === '*' ||
        one === (subresource === '' ? resource : `${resource}/${subresource}`) ||
        (subresource !== '' && one === `*/${subresource}`),
    ) &&
    (resourceNames.length === 0 || resourceNames.includes(info.name))
  );
}
