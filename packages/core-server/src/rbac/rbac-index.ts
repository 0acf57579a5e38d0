import type { UserInfo } from '@tributary/server';
import {
  bind,
  emptyScope,
  getOrCreate,
  type IndexedBinding,
  isEmptyScope,
  type RoleSlot,
  type Scope,
  unbind,
} from './bound-roles.ts';
import { compareText } from './compare-text.ts';
import { subjectNames } from './subjects.ts';
import type { PolicyRule, RbacObjects, RbacResource, RoleBinding, RoleRef } from './types.ts';

export interface ObjectId {
  /** Absent or empty for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** The rules of a user, and the referenced roles that do not exist. */
export interface HeldRules {
  readonly rules: readonly PolicyRule[];
  readonly missing: readonly RoleRef[];
}

/**
 * All roles and bindings by subject, so that a decision evaluates only the roles of its user. An informer adds and
 * removes the objects.
 */
export class RbacIndex {
  readonly #slots = new Map<string, RoleSlot>();
  readonly #bindings = new Map<string, IndexedBinding>();
  readonly #cluster = emptyScope();
  readonly #namespaces = new Map<string, Scope>();

  /** Adds or replaces an object, which must not be modified afterwards. */
  put<Resource extends RbacResource>(resource: Resource, object: RbacObjects[Resource]): void {
    const { name = '', namespace = '' } = object.metadata;
    if (resource === 'roles' || resource === 'clusterroles') {
      const { rules } = object as RbacObjects['roles'];
      this.#setRules(slotKey(resource, namespace, name), rules ?? []);
    } else {
      this.remove(resource, { namespace, name });
      this.#addBinding(resource, object as RoleBinding);
    }
  }

  /** Removes an object. Unknown objects are ignored. */
  remove(resource: RbacResource, { namespace = '', name }: ObjectId): void {
    if (resource === 'roles' || resource === 'clusterroles') {
      this.#setRules(slotKey(resource, namespace, name), undefined);
    } else {
      this.#removeBinding(slotKey(resource, namespace, name));
    }
  }

  /** The rules of the role that a binding in `namespace` refers to; undefined when it does not exist. */
  rulesOf(ref: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#slots.get(referenceKey(ref, namespace))?.rules;
  }

  /**
   * Visits every role of a user with one of the bindings that grant it, those of the whole cluster first, until `visit`
   * returns true.
   */
  someRole(
    user: UserInfo,
    namespace: string,
    visit: (slot: RoleSlot, binding: IndexedBinding) => boolean,
  ): boolean {
    if (someScopeRole(this.#cluster, user, visit)) return true;
    const scope = namespace === '' ? undefined : this.#namespaces.get(namespace);
    return scope !== undefined && someScopeRole(scope, user, visit);
  }

  /** The bindings of a user without repeats: those of the cluster by name, then those of the namespace by name. */
  bindingsOf(user: UserInfo, namespace: string): IndexedBinding[] {
    const found = [...scopeBindings(this.#cluster, user)].sort(byName);
    const scope = namespace === '' ? undefined : this.#namespaces.get(namespace);
    if (scope !== undefined) found.push(...[...scopeBindings(scope, user)].sort(byName));
    return found;
  }

  /** All rules of a user in a namespace, unmerged, in the order of the bindings and roles. */
  rulesFor(user: UserInfo, namespace: string): HeldRules {
    const rules: PolicyRule[] = [];
    const missing: RoleRef[] = [];
    for (const { slot, roleRef } of this.bindingsOf(user, namespace)) {
      if (slot.rules === undefined) missing.push(roleRef);
      else for (const rule of slot.rules) rules.push(rule);
    }
    return { rules, missing };
  }

  #setRules(key: string, rules: readonly PolicyRule[] | undefined): void {
    const slot = this.#slot(key);
    slot.rules = rules;
    slot.table = undefined;
    this.#dropUnused(key, slot);
  }

  #addBinding(resource: IndexedBinding['resource'], object: RoleBinding): void {
    const { name = '', namespace = '' } = object.metadata;
    const { roleRef } = object;
    const slot = this.#slot(referenceKey(roleRef, namespace));
    slot.bindingCount += 1;
    const binding = { resource, object, name, namespace, roleRef, slot };
    this.#bindings.set(slotKey(resource, namespace, name), binding);
    const place =
      namespace === '' ? this.#cluster : getOrCreate(this.#namespaces, namespace, emptyScope);
    const { users, groups } = subjectNames(object.subjects ?? [], namespace);
    for (const user of users) bind(place.users, user, binding);
    for (const group of groups) bind(place.groups, group, binding);
  }

  #removeBinding(key: string): void {
    const binding = this.#bindings.get(key);
    if (binding === undefined) return;
    this.#bindings.delete(key);
    const { namespace, roleRef, slot, object } = binding;
    const place = namespace === '' ? this.#cluster : this.#namespaces.get(namespace);
    if (place !== undefined) {
      const { users, groups } = subjectNames(object.subjects ?? [], namespace);
      for (const user of users) unbind(place.users, user, binding);
      for (const group of groups) unbind(place.groups, group, binding);
      if (namespace !== '' && isEmptyScope(place)) this.#namespaces.delete(namespace);
    }
    slot.bindingCount -= 1;
    this.#dropUnused(referenceKey(roleRef, namespace), slot);
  }

  #slot(key: string): RoleSlot {
    return getOrCreate(this.#slots, key, () => ({
      rules: undefined,
      table: undefined,
      bindingCount: 0,
    }));
  }

  #dropUnused(key: string, slot: RoleSlot): void {
    if (slot.rules === undefined && slot.bindingCount === 0) this.#slots.delete(key);
  }
}

type Visit = (slot: RoleSlot, binding: IndexedBinding) => boolean;

function someScopeRole(place: Scope, user: UserInfo, visit: Visit): boolean {
  if (someBoundRole(place.users.get(user.name), visit)) return true;
  for (const group of user.groups) {
    if (someBoundRole(place.groups.get(group), visit)) return true;
  }
  return false;
}

function someBoundRole(
  roles: ReadonlyMap<RoleSlot, ReadonlySet<IndexedBinding>> | undefined,
  visit: Visit,
): boolean {
  if (roles === undefined) return false;
  for (const [slot, bindings] of roles) {
    for (const binding of bindings) {
      if (visit(slot, binding)) return true;
      break; // Other bindings grant the same role.
    }
  }
  return false;
}

function scopeBindings({ users, groups }: Scope, user: UserInfo): Set<IndexedBinding> {
  const found = new Set<IndexedBinding>();
  const bound = [users.get(user.name), ...user.groups.map((group) => groups.get(group))];
  for (const roles of bound) {
    for (const bindings of roles?.values() ?? []) {
      for (const binding of bindings) found.add(binding);
    }
  }
  return found;
}

function byName(a: IndexedBinding, b: IndexedBinding): number {
  return compareText(a.name, b.name);
}

/** Names contain no slash. */
function slotKey(resource: RbacResource, namespace: string, name: string): string {
  return `${resource}/${namespace}/${name}`;
}

/** The key of the role that a binding refers to. A reference with an unknown kind has a slot without rules. */
function referenceKey({ kind = '', name = '' }: RoleRef, namespace: string): string {
  if (kind === 'ClusterRole') return slotKey('clusterroles', '', name);
  if (kind === 'Role') return slotKey('roles', namespace, name);
  return `?/${kind}/${name}`;
}
