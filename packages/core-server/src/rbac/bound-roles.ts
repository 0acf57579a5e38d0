import { compileRules, type RuleTable } from './rule-table.ts';
import type { PolicyRule, RoleBinding, RoleRef } from './types.ts';

/** The role that bindings refer to, whether it exists or not. All bindings of one role share its slot. */
export interface RoleSlot {
  /** Undefined while the role does not exist. */
  rules: readonly PolicyRule[] | undefined;
  /** Compiled at the first authorization request, because most roles are never used. */
  table: RuleTable | undefined;
  bindingCount: number;
}

/** A binding in the index. */
export interface IndexedBinding {
  readonly resource: 'rolebindings' | 'clusterrolebindings';
  readonly object: RoleBinding;
  readonly name: string;
  /** Empty for ClusterRoleBindings. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly slot: RoleSlot;
}

export function ruleTable(slot: RoleSlot): RuleTable | undefined {
  if (slot.rules === undefined) return undefined;
  slot.table ??= compileRules(slot.rules);
  return slot.table;
}

/** The roles of one subject with the bindings that grant them, so that a decision evaluates each role once. */
type BoundRoles = Map<RoleSlot, Set<IndexedBinding>>;

/** Roles by subject, in one namespace or in the whole cluster. */
export interface Scope {
  readonly users: Map<string, BoundRoles>;
  readonly groups: Map<string, BoundRoles>;
}

export function emptyScope(): Scope {
  return { users: new Map(), groups: new Map() };
}

export function isEmptyScope({ users, groups }: Scope): boolean {
  return users.size === 0 && groups.size === 0;
}

export function bind(
  subjects: Map<string, BoundRoles>,
  subject: string,
  binding: IndexedBinding,
): void {
  const roles = getOrCreate(subjects, subject, () => new Map());
  getOrCreate(roles, binding.slot, () => new Set()).add(binding);
}

export function unbind(
  subjects: Map<string, BoundRoles>,
  subject: string,
  binding: IndexedBinding,
): void {
  const roles = subjects.get(subject);
  const bindings = roles?.get(binding.slot);
  bindings?.delete(binding);
  if (bindings?.size === 0) roles?.delete(binding.slot);
  if (roles?.size === 0) subjects.delete(subject);
}

export function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const present = map.get(key);
  if (present !== undefined) return present;
  const made = make();
  map.set(key, made);
  return made;
}
