import { type FieldSet, FieldSetBuilder } from './field-set.ts';
import { fieldOf, type PathElement } from './path-element.ts';
import { type MapType, type Type, untypedAtomic } from './type.ts';

/** Sets and types never change, so what becomes of a set is found once. */
const reconciled = new WeakMap<Type, WeakMap<FieldSet, FieldSet>>();

/**
 * A set that was written when the type was another one. Where something has become one piece since,
 * its owner owns the piece; what has come apart is left as it is.
 */
export function reconcileFieldSet(set: FieldSet, type: Type): FieldSet {
  return reconcilerOf(type)(set);
}

/** For many sets of one type. */
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
  visit(set, type, { path: [], isWhole: false, collapsed });
  const pieces = collapsed.build();
  return pieces.isEmpty ? set : set.recursiveDifference(pieces).union(pieces);
}

interface Place {
  readonly path: PathElement[];
  /** The set ends here and does not go on. */
  readonly isWhole: boolean;
  readonly collapsed: FieldSetBuilder;
}

function visit(set: FieldSet | undefined, { map, scalar, list }: Type, place: Place): void {
  if (map !== undefined) {
    visitMap(set, map, place);
  } else if (scalar === undefined && list !== undefined) {
    if (!place.isWhole && list.relationship === 'atomic') place.collapsed.insert(place.path);
    else if (set !== undefined) descend(set, () => list.element, place);
  }
}

function visitMap(set: FieldSet | undefined, map: MapType, place: Place): void {
  if (isUntyped(map)) return;
  if (!place.isWhole && map.relationship === 'atomic') {
    if (set !== undefined && !set.isEmpty) place.collapsed.insert(place.path);
    return;
  }
  if (set === undefined) return;
  descend(
    set,
    (element) => {
      const name = fieldOf(element);
      return (name === undefined ? undefined : map.fields.get(name)?.type) ?? map.element;
    },
    place,
  );
}

function descend(
  set: FieldSet,
  typeOf: (element: PathElement) => Type | undefined,
  { path, collapsed }: Place,
): void {
  for (const element of new Set([...set.children.keys(), ...set.members])) {
    const type = typeOf(element);
    if (type === undefined) continue;
    const below = set.children.get(element);
    const isWhole = set.members.has(element) && below === undefined;
    path.push(element);
    visit(below, type, { path, isWhole, collapsed });
    path.pop();
  }
}

/** Nothing is said about what is in it, so nothing can have changed. */
function isUntyped({ fields, element }: MapType): boolean {
  if (fields.size > 0 || element === undefined) return false;
  return element !== untypedAtomic && element.scalar === 'untyped';
}
