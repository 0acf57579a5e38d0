import { type FieldSet, FieldSetBuilder } from './field-set.ts';
import { itemElement } from './list-items.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { deduceForm, isMap, type ListType, type MapType, type Type } from './type.ts';

/** Every leaf and every item that a value mentions. */
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
  for (const [name, one] of Object.entries(value)) {
    const field = fields.get(name);
    const type = field?.type ?? element;
    if (type === undefined) continue;
    path.push(fieldElement(name));
    collect(one, type, path, out);
    // A key of a map is owned by itself; a field of a struct only by what is in it, or for being empty.
    const isBare = one === null || (isMap(one) && Object.keys(one).length === 0);
    if (isBare || field === undefined) out.insert(path);
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
  const twice = repeated(elements);
  for (const [index, element] of elements.entries()) {
    path.push(element);
    // Items that cannot be told apart are owned together, and not by what is in them.
    if (!twice.has(element)) collect(value[index], type.element, path, out);
    out.insert(path);
    path.pop();
  }
}

function repeated(elements: readonly PathElement[]): Set<PathElement> {
  const seen = new Set<PathElement>();
  return new Set(elements.filter((element) => seen.has(element) || !seen.add(element)));
}
