import { type FieldSet, FieldSetBuilder } from './field-set.ts';
import { itemElement } from './list-items.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import {
  deduceForm,
  type Form,
  isMap,
  type JsonMap,
  type ListType,
  type MapType,
  type Scalar,
  sameDeduction,
  type Type,
} from './type.ts';
import { TypedError } from './typed-error.ts';
import { scalarProblem } from './validate.ts';

/** What became of one value in another. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Compares two values of a type. */
export function compareTyped(before: unknown, after: unknown, type: Type): Comparison {
  const out = {
    removed: new FieldSetBuilder(),
    modified: new FieldSetBuilder(),
    added: new FieldSetBuilder(),
    path: [],
  };
  visit(before, after, type, out);
  return {
    removed: out.removed.build(),
    modified: out.modified.build(),
    added: out.added.build(),
  };
}

interface Findings {
  readonly removed: FieldSetBuilder;
  readonly modified: FieldSetBuilder;
  readonly added: FieldSetBuilder;
  readonly path: PathElement[];
}

/** `undefined` is what is not there; null is a value. */
function visit(before: unknown, after: unknown, type: Type, out: Findings): void {
  // What did not change at all, most of every object, costs one comparison.
  if (before === after) return;
  const [left, right] = [deduceForm(type, before), deduceForm(type, after)];
  let isLeaf: boolean;
  if (after === undefined) {
    isLeaf = visitForm(left.form, before, after, type, out);
  } else if (before === undefined || sameDeduction(type, left, right)) {
    isLeaf = visitForm(right.form, before, after, type, out);
  } else {
    // The form itself changed: what the old one had is gone, and the new one is looked at as it is.
    visitForm(left.form, before, after, type, out);
    isLeaf = visitForm(right.form, before, after, type, out);
  }
  if (isLeaf) return;
  if (before === undefined) out.added.insert(out.path);
  else if (after === undefined) out.removed.insert(out.path);
}

/** Answers whether the values were looked at as one piece. */
function visitForm(
  form: Form | undefined,
  before: unknown,
  after: unknown,
  type: Type,
  out: Findings,
): boolean {
  switch (form) {
    case 'map':
      return visitMaps(before, after, type.map as MapType, out);
    case 'list':
      return visitLists(before, after, type.list as ListType, out);
    default:
      requireScalar(type.scalar ?? 'untyped', before, after);
      return leaf(before, after, out);
  }
}

function requireScalar(scalar: Scalar, before: unknown, after: unknown): void {
  const [old, next] = [scalarProblem(scalar, before), scalarProblem(scalar, after)];
  if (old !== undefined && next !== undefined) {
    throw new TypedError([
      { path: '', message: `lhs: ${old}` },
      { path: '', message: `rhs: ${next}` },
    ]);
  }
}

function leaf(before: unknown, after: unknown, { path, added, removed, modified }: Findings): true {
  if (before === undefined) added.insert(path);
  else if (after === undefined) removed.insert(path);
  else if (!equalValues(before, after)) modified.insert(path);
  return true;
}

/** The order of fields is no difference. */
export function equalValues(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object') {
    // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number may be the same integer
    return isNumber(a) && isNumber(b) && a == b;
  }
  if (a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  return !Array.isArray(b) && equalMaps(a as JsonMap, b as JsonMap);
}

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) {
    if (!equalValues(a[index], b[index])) return false;
  }
  return true;
}

/** Most of what is compared is compared here, so names are not collected first. */
function equalMaps(a: JsonMap, b: JsonMap): boolean {
  let surplus = 0;
  for (const name in a) {
    const theirs = b[name];
    // The one name that is there without being data.
    if ((theirs === undefined || name === '__proto__') && !Object.hasOwn(b, name)) return false;
    if (!equalValues(a[name], theirs)) return false;
    surplus += 1;
  }
  for (const _ in b) surplus -= 1;
  return surplus === 0;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function visitMaps(before: unknown, after: unknown, type: MapType, out: Findings): boolean {
  const left = isMap(before) ? before : {};
  const right = isMap(after) ? after : {};
  const [names, more] = [Object.keys(left), Object.keys(right)];
  // Both empty is one piece, so that null and an empty map stay different things.
  if (type.relationship === 'atomic' || (names.length === 0 && more.length === 0)) {
    return leaf(before, after, out);
  }
  for (const name of names) {
    visitField(name, left[name], Object.hasOwn(right, name) ? right[name] : undefined, type, out);
  }
  for (const name of more) {
    if (!Object.hasOwn(left, name)) visitField(name, undefined, right[name], type, out);
  }
  return false;
}

function visitField(
  name: string,
  before: unknown,
  after: unknown,
  { fields, element }: MapType,
  out: Findings,
): void {
  const type = fields.get(name)?.type ?? element;
  if (type === undefined) {
    throw new TypedError([{ path: `.${name}`, message: 'field not declared in schema' }]);
  }
  if (before === after) return;
  out.path.push(fieldElement(name));
  visit(before, after, type, out);
  out.path.pop();
}

function visitLists(before: unknown, after: unknown, type: ListType, out: Findings): boolean {
  const left: readonly unknown[] = Array.isArray(before) ? before : [];
  const right: readonly unknown[] = Array.isArray(after) ? after : [];
  if (type.relationship === 'atomic' || (left.length === 0 && right.length === 0)) {
    return leaf(before, after, out);
  }
  // Most lists did not change; to tell their items apart costs more than to see that.
  if (equalValues(left, right)) return false;
  const [olds, news] = [itemsByElement(left, type), itemsByElement(right, type)];
  for (const [element, items] of olds)
    visitItems(element, items, news.get(element) ?? [], type, out);
  for (const [element, items] of news) {
    if (!olds.has(element)) visitItems(element, [], items, type, out);
  }
  return false;
}

function itemsByElement(items: readonly unknown[], type: ListType): Map<PathElement, unknown[]> {
  const byElement = new Map<PathElement, unknown[]>();
  for (const item of items) {
    const element = itemElement(type, item);
    const known = byElement.get(element);
    if (known === undefined) byElement.set(element, [item]);
    else known.push(item);
  }
  return byElement;
}

/** Items that cannot be told apart are compared as one piece. */
function visitItems(
  element: PathElement,
  olds: readonly unknown[],
  news: readonly unknown[],
  { element: type }: ListType,
  out: Findings,
): void {
  out.path.push(element);
  if (olds.length <= 1 && news.length <= 1) {
    visit(olds[0], news[0], type, out);
  } else if (olds.length > 1 && news.length > 1) {
    if (!equalValues(olds, news)) out.modified.insert(out.path);
  } else if (olds.length > 1) {
    if (news.length > 0) visit(undefined, news[0], type, out);
    out.removed.insert(out.path);
  } else {
    if (olds.length > 0) visit(olds[0], undefined, type, out);
    out.added.insert(out.path);
  }
  out.path.pop();
}
