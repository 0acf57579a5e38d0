import { type FieldSet, FieldSetBuilder } from './field-set.ts';
import { itemElement } from './list-items.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { deduceForm, isMap, type ListType, type MapType, type Type } from './type.ts';

/** Upstream's `ToFieldSet`: all leaves and items of a value. */
export function fieldSetOf(value: unknown, type: Type): FieldSet {
  const builder = new FieldSetBuilder();
  collect(value, type, [], builder);
  return builder.build();
}

function collect(value: unknown, type: Type, path: PathElement[], out: FieldSetBuilder): void {
  switch (deduceForm(type, value).form) {
    case 'map':
      collectFields(value, type.map as MapType, path, out);
      return;
    case 'list':
      collectItems(value, type.list as ListType, path, out);
      return;
    default:
      out.insert(path);
  }
}

function collectFields(
  value: unknown,
  { fields, element, relationship }: MapType,
  path: PathElement[],
  out: FieldSetBuilder,
): void {
  if (relationship === 'atomic') {
    out.insert(path);
    return;
  }
  if (!isMap(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const field = fields.get(name);
    const type = field?.type ?? element;
    if (type === undefined) continue;
    path.push(fieldElement(name));
    collect(member, type, path, out);
    // Keys of maps are always members; fields of structs only when they are empty.
    const isEmpty = member === null || (isMap(member) && Object.keys(member).length === 0);
    if (isEmpty || field === undefined) out.insert(path);
    path.pop();
  }
}

function collectItems(
  value: unknown,
  type: ListType,
  path: PathElement[],
  out: FieldSetBuilder,
): void {
  if (type.relationship === 'atomic') {
    out.insert(path);
    return;
  }
  if (!Array.isArray(value)) return;
  const elements = value.map((item) => itemElement(type, item));
  const duplicates = duplicatesOf(elements);
  for (const [index, element] of elements.entries()) {
    path.push(element);
    // Items with the same key are owned together, without their fields.
    if (!duplicates.has(element)) collect(value[index], type.element, path, out);
    out.insert(path);
    path.pop();
  }
}

function duplicatesOf(elements: readonly PathElement[]): Set<PathElement> {
  const seen = new Set<PathElement>();
  return new Set(elements.filter((element) => seen.has(element) || !seen.add(element)));
}
