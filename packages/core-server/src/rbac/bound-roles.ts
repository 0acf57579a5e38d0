import { compileRules, type RuleTable } from './rule-table.ts';
import type { PolicyRule, RoleBinding, RoleRef } from './types.ts';

/** What a binding refers to, whether it exists or not. All bindings of one role share one. */
export interface RoleSlot {
  /** Undefined while there is no such role. */
  rules: readonly PolicyRule[] | undefined;
  /** Made when somebody asks first: most roles are never asked. */
  table: RuleTable | undefined;
  bindingCount: number;
}

/** A binding as the index keeps it. */
export interface IndexedBinding {
  readonly resource: 'rolebindings' | 'clusterrolebindings';
  readonly object: RoleBinding;
  readonly name: string;
  /** Empty for the whole cluster. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly slot: RoleSlot;
}

export function ruleTable(slot: RoleSlot): RuleTable | undefined {
  if (slot.rules === undefined) return undefined;
  slot.table ??= compileRules(slot.rules);
  return slot.table;
}

/** The roles of one subject, each with the bindings that give it. A role that was asked is not asked again. */
type BoundRoles = Map<RoleSlot, Set<IndexedBinding>>;

/** Who has which roles in one place: a namespace, or the whole cluster. */
export interface Place {
  readonly users: Map<string, BoundRoles>;
  readonly groups: Map<string, BoundRoles>;
}

export function emptyPlace(): Place {
  return { users: new Map(), groups: new Map() };
}

export function isEmptyPlace({ users, groups }: Place): boolean {
  return users.size === 0 && groups.size === 0;
}

export function bind(
  subjects: Map<string, BoundRoles>,
  subject: string,
  binding: IndexedBinding,
): void {
  const roles = getOrMake(subjects, subject, () => new Map());
  getOrMake(roles, binding.slot, () => new Set()).add(binding);
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

export function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const present = map.get(key);
  if (present !== undefined) return present;
  const made = make();
  map.set(key, made);
  return made;
}
