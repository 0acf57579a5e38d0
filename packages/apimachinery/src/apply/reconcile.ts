import { type FieldSet, FieldSetBuilder } from './field-set.ts';
import { fieldOf, type PathElement } from './path-element.ts';
import { type MapType, type Type, untypedAtomic } from './type.ts';

/** A cache; sets and types are immutable. */
const reconciled = new WeakMap<Type, WeakMap<FieldSet, FieldSet>>();

/**
 * Upstream's `ReconcileFieldSetWithSchema`: adapts a set to a changed type. Owners of fields in a list or map that became
 * atomic own it as a whole; a list or map that became granular is unchanged.
 */
export function reconcileFieldSet(set: FieldSet, type: Type): FieldSet {
  return reconcilerOf(type)(set);
}

/** The same for many sets of one type. */
export function reconcilerOf(type: Type): (set: FieldSet) => FieldSet {
  const known = reconciled.get(type) ?? new WeakMap<FieldSet, FieldSet>();
  reconciled.set(type, known);
  return (set) => {
    let result = known.get(set);
    if (result === undefined) {
      result = reconcile(set, type);
      known.set(set, result);
    }
    return result;
  };
}

function reconcile(set: FieldSet, type: Type): FieldSet {
  const collapsed = new FieldSetBuilder();
  visit(set, type, { path: [], isLeaf: false, collapsed });
  const atomic = collapsed.build();
  return atomic.isEmpty ? set : set.recursiveDifference(atomic).union(atomic);
}

interface Visit {
  readonly path: PathElement[];
  /** The path is a member of the set without longer paths below. */
  readonly isLeaf: boolean;
  readonly collapsed: FieldSetBuilder;
}

function visit(set: FieldSet | undefined, { map, scalar, list }: Type, at: Visit): void {
  if (map !== undefined) {
    visitMap(set, map, at);
  } else if (scalar === undefined && list !== undefined) {
    if (!at.isLeaf && list.relationship === 'atomic') at.collapsed.insert(at.path);
    else if (set !== undefined) descend(set, () => list.element, at);
  }
}

function visitMap(set: FieldSet | undefined, map: MapType, at: Visit): void {
  if (isUntyped(map)) return;
  if (!at.isLeaf && map.relationship === 'atomic') {
    if (set !== undefined && !set.isEmpty) at.collapsed.insert(at.path);
    return;
  }
  if (set === undefined) return;
  descend(
    set,
    (element) => {
      const name = fieldOf(element);
      return (name === undefined ? undefined : map.fields.get(name)?.type) ?? map.element;
    },
    at,
  );
}

function descend(
  set: FieldSet,
  typeOf: (element: PathElement) => Type | undefined,
  { path, collapsed }: Visit,
): void {
  for (const element of new Set([...set.children.keys(), ...set.members])) {
    const type = typeOf(element);
    if (type === undefined) continue;
    const below = set.children.get(element);
    const isLeaf = set.members.has(element) && below === undefined;
    path.push(element);
    visit(below, type, { path, isLeaf, collapsed });
    path.pop();
  }
}

/** Whether the schema does not describe the members, so that it cannot have changed for them. */
function isUntyped({ fields, element }: MapType): boolean {
  if (fields.size > 0 || element === undefined) return false;
  return element !== untypedAtomic && element.scalar === 'untyped';
}
