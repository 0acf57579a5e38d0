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

/** The fields that differ between two values. */
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

interface ComparisonBuilder {
  readonly removed: FieldSetBuilder;
  readonly modified: FieldSetBuilder;
  readonly added: FieldSetBuilder;
  readonly path: PathElement[];
}

/** `undefined` means absent; null is a value. */
function visit(before: unknown, after: unknown, type: Type, out: ComparisonBuilder): void {
  // A fast path: most of an object is the same value in both.
  if (before === after) return;
  const [left, right] = [deduceForm(type, before), deduceForm(type, after)];
  let isLeaf: boolean;
  if (after === undefined) {
    isLeaf = visitForm(left.form, before, after, type, out);
  } else if (before === undefined || sameDeduction(type, left, right)) {
    isLeaf = visitForm(right.form, before, after, type, out);
  } else {
    // The form changed: the first visit reports the removed fields, the second the added ones.
    visitForm(left.form, before, after, type, out);
    isLeaf = visitForm(right.form, before, after, type, out);
  }
  if (isLeaf) return;
  if (before === undefined) out.added.insert(out.path);
  else if (after === undefined) out.removed.insert(out.path);
}

/** Returns whether the values were compared as a leaf. */
function visitForm(
  form: Form | undefined,
  before: unknown,
  after: unknown,
  type: Type,
  out: ComparisonBuilder,
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

function leaf(
  before: unknown,
  after: unknown,
  { path, added, removed, modified }: ComparisonBuilder,
): true {
  if (before === undefined) added.insert(path);
  else if (after === undefined) removed.insert(path);
  else if (!equalValues(before, after)) modified.insert(path);
  return true;
}

/** Compares JSON values, ignoring the order of fields. */
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

/** A hot path: iterates without collecting the names. */
function equalMaps(a: JsonMap, b: JsonMap): boolean {
  let difference = 0;
  for (const name in a) {
    const other = b[name];
    // `__proto__` may be inherited instead of data.
    if ((other === undefined || name === '__proto__') && !Object.hasOwn(b, name)) return false;
    if (!equalValues(a[name], other)) return false;
    difference += 1;
  }
  for (const _ in b) difference -= 1;
  return difference === 0;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function visitMaps(
  before: unknown,
  after: unknown,
  type: MapType,
  out: ComparisonBuilder,
): boolean {
  const left = isMap(before) ? before : {};
  const right = isMap(after) ? after : {};
  const [leftNames, rightNames] = [Object.keys(left), Object.keys(right)];
  // Two empty maps are leaves, so that null differs from an empty map.
  if (type.relationship === 'atomic' || (leftNames.length === 0 && rightNames.length === 0)) {
    return leaf(before, after, out);
  }
  for (const name of leftNames) {
    visitField(name, left[name], Object.hasOwn(right, name) ? right[name] : undefined, type, out);
  }
  for (const name of rightNames) {
    if (!Object.hasOwn(left, name)) visitField(name, undefined, right[name], type, out);
  }
  return false;
}

function visitField(
  name: string,
  before: unknown,
  after: unknown,
  { fields, element }: MapType,
  out: ComparisonBuilder,
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

function visitLists(
  before: unknown,
  after: unknown,
  type: ListType,
  out: ComparisonBuilder,
): boolean {
  const left: readonly unknown[] = Array.isArray(before) ? before : [];
  const right: readonly unknown[] = Array.isArray(after) ? after : [];
  if (type.relationship === 'atomic' || (left.length === 0 && right.length === 0)) {
    return leaf(before, after, out);
  }
  // Most lists are unchanged, and comparing them is cheaper than computing the keys of their items.
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

/** Items with the same key are compared together. */
function visitItems(
  element: PathElement,
  olds: readonly unknown[],
  news: readonly unknown[],
  { element: type }: ListType,
  out: ComparisonBuilder,
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
