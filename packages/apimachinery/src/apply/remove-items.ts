import { setMember } from '../json/set-member.ts';
import type { FieldSet } from './field-set.ts';
import { itemElement } from './list-items.ts';
import { fieldElement } from './path-element.ts';
import { deduceForm, isMap, type ListType, type MapType, type Type } from './type.ts';

/** A value without the fields and items of a set; a container that loses everything becomes null. */
export function removeItems(value: unknown, set: FieldSet, type: Type): unknown {
  switch (deduceForm(type, value).form) {
    case 'map':
      return removeFields(value, set, type.map as MapType);
    case 'list':
      return removeListItems(value, set, type.list as ListType);
    default:
      return value;
  }
}

function removeFields(value: unknown, set: FieldSet, type: MapType): unknown {
  if (!isMap(value) || type.relationship === 'atomic') return null;
  const kept: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) {
    const element = fieldElement(name);
    if (set.members.has(element)) continue;
    const below = set.below(element);
    const fieldType = type.fields.get(name)?.type ?? type.element;
    const rest =
      below.isEmpty || fieldType === undefined ? one : removeItems(one, below, fieldType);
    setMember(kept, name, rest);
  }
  return Object.keys(kept).length === 0 ? null : kept;
}

function removeListItems(value: unknown, set: FieldSet, type: ListType): unknown {
  if (!Array.isArray(value) || type.relationship === 'atomic') return null;
  const kept: unknown[] = [];
  for (const item of value) {
    const element = itemElement(type, item);
    if (set.members.has(element)) continue;
    const below = set.below(element);
    kept.push(below.isEmpty ? item : removeItems(item, below, type.element));
  }
  return kept.length === 0 ? null : kept;
}
