import { setMember } from '../json/json-object.ts';
import type { FieldSet } from './field-set.ts';
import { itemElement } from './list-items.ts';
import { fieldElement } from './path-element.ts';
import { deduceForm, isMap, type ListType, type MapType, type Type } from './type.ts';

/** Removes the fields and items of a set; a container that becomes empty is null. */
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
  const remaining: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const element = fieldElement(name);
    if (set.members.has(element)) continue;
    const below = set.below(element);
    const fieldType = type.fields.get(name)?.type ?? type.element;
    const rest =
      below.isEmpty || fieldType === undefined ? member : removeItems(member, below, fieldType);
    setMember(remaining, name, rest);
  }
  return Object.keys(remaining).length === 0 ? null : remaining;
}

function removeListItems(value: unknown, set: FieldSet, type: ListType): unknown {
  if (!Array.isArray(value) || type.relationship === 'atomic') return null;
  const remaining: unknown[] = [];
  for (const item of value) {
    const element = itemElement(type, item);
    if (set.members.has(element)) continue;
    const below = set.below(element);
    remaining.push(below.isEmpty ? item : removeItems(item, below, type.element));
  }
  return remaining.length === 0 ? null : remaining;
}
