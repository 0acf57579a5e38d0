import { setMember } from '../json/json-object.ts';
import { FieldSet, sortedElements } from './field-set.ts';
import { comparePathElements, type PathElement, parsePathElement } from './path-element.ts';

type Json = Readonly<Record<string, unknown>>;

/** Encodes a set as `fieldsV1`: nested objects, `{}` for a path that ends, `"."` if longer paths continue there. */
export function encodeFieldsV1(set: FieldSet): Json {
  return encode(set, false);
}

function encode(set: FieldSet, isMember: boolean): Json {
  const fields: Record<string, unknown> = {};
  if (isMember && !set.isEmpty) fields['.'] = {};
  const elements = new Set([...set.members, ...set.children.keys()]);
  for (const element of sortedElements(elements)) {
    const child = set.children.get(element);
    const value = child === undefined ? {} : encode(child, set.members.has(element));
    setMember(fields, element, value);
  }
  return fields;
}

/** Bounds the recursion of the decoder. */
const DEPTH_MAX = 1000;

/** Decodes `fieldsV1`; throws for invalid data. */
export function decodeFieldsV1(fields: unknown): FieldSet {
  return decode(fields, 0).set;
}

function decode(fields: unknown, depth: number): { set: FieldSet; isMember: boolean } {
  if (depth > DEPTH_MAX) throw new Error(`fieldsV1 exceeds the maximum depth of ${DEPTH_MAX}`);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    if (fields === null) return { set: FieldSet.empty, isMember: true };
    throw new Error('fieldsV1 must consist of objects');
  }
  const members = new Set<PathElement>();
  const children = new Map<PathElement, FieldSet>();
  let isMember = false;
  for (const [key, value] of Object.entries(fields)) {
    if (key === '.') {
      isMember = true;
      continue;
    }
    const element = parsePathElement(key);
    // As upstream, elements of unknown kinds are dropped.
    if (element === undefined) continue;
    const below = decode(value, depth + 1);
    if (below.isMember) members.add(element);
    if (!below.set.isEmpty) children.set(element, below.set);
  }
  const isLeaf = members.size === 0 && children.size === 0;
  return {
    set: isLeaf ? FieldSet.empty : new FieldSet(members, children),
    isMember: isMember || isLeaf,
  };
}

/** Whether `encodeFieldsV1` would produce the same JSON; clients may send other forms. */
export function isCanonicalFieldsV1(fields: unknown): boolean {
  if (typeof fields !== 'object' || fields === null) return false;
  const keys = Object.keys(fields);
  if (keys[0] === '.') keys.shift();
  if (keys.length === 0) return !Object.hasOwn(fields, '.');
  return keys.every((key, index) => {
    const isInOrder = index === 0 || comparePathElements(keys[index - 1] as string, key) < 0;
    const below = (fields as Json)[key];
    return isInOrder && parsePathElement(key) === key && isCanonicalFieldsV1(below);
  });
}
