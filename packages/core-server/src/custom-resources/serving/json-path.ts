import { type Filter, type PathNode, parseJsonPath, type Slice } from './parse-json-path.ts';

/** Evaluates a path such as `.spec.items[0].name`; throws where upstream's evaluation fails. */
type JsonPath = (object: unknown) => readonly unknown[];

/** Compiles Kubernetes' dialect of JSONPath, as in columns of custom resources: absent keys are not errors. */
export function jsonPath(text: string): JsonPath {
  const nodes = parseJsonPath(text);
  return (object) => walkAll([object], nodes);
}

function walkAll(values: readonly unknown[], nodes: readonly PathNode[]): readonly unknown[] {
  return nodes.reduce<readonly unknown[]>((found, node) => walk(found, node), values);
}

function walk(values: readonly unknown[], node: PathNode): readonly unknown[] {
  switch (node.type) {
    case 'field':
      return present(values).flatMap((value) => fieldOf(value, node.name));
    case 'slice':
      return sliceAll(present(values), node);
    case 'wildcard':
      return present(values).flatMap(contentsOf);
    case 'descent':
      return present(values).flatMap(descend);
    case 'filter':
      return values.flatMap((value) => filter(value, node));
    case 'union':
      return node.parts.flatMap((part) => walkAll(values, part));
    case 'text':
      return [node.value];
    case 'value':
      return values.map(() => node.value);
  }
}

function present(values: readonly unknown[]): readonly unknown[] {
  return values.filter((value) => value !== null && value !== undefined);
}

function fieldOf(value: unknown, name: string): readonly unknown[] {
  if (!isRecord(value) || !Object.hasOwn(value, name)) return [];
  return [value[name]];
}

/** As upstream, an empty range ends the evaluation, even if other lists would have results. */
function sliceAll(values: readonly unknown[], slice: Slice): readonly unknown[] {
  const found: unknown[] = [];
  for (const value of values) {
    if (!Array.isArray(value)) throw new Error(`${typeof value} is not array or slice`);
    const range = rangeOf(slice, value.length);
    if (range === undefined) return found;
    for (let index = range.from; index < range.to; index += range.step) found.push(value[index]);
  }
  return found;
}

function rangeOf(
  { from = 0, to, isOne, step = 1 }: Slice,
  length: number,
): { from: number; to: number; step: number } | undefined {
  const first = from < 0 ? from + length : from;
  const asked = to ?? length;
  const end = asked < 0 || (asked === 0 && isOne) ? asked + length : asked;
  if (first === end) return undefined;
  if (first < 0 || first >= length || end < 0 || end > length) {
    throw new Error(`array index out of bounds: index ${first}, length ${length}`);
  }
  if (first > end) throw new Error(`starting index ${first} is greater than ending index ${end}`);
  if (step <= 0) throw new Error('step must be > 0');
  return { from: first, to: end, step };
}

/** Upstream iterates over keys in random order; here they have the order of the object. */
function contentsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isRecord(value)) return Object.values(value);
  return typeof value === 'string' ? [...Buffer.from(value)] : [];
}

function descend(value: unknown): readonly unknown[] {
  const contents = contentsOf(value);
  if (contents.length === 0) return [];
  return [value, ...present(contents).flatMap(descend)];
}

function filter(value: unknown, { left, operator, right }: Filter): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('not array or slice and cannot be filtered');
  return value.filter((item) => {
    if (operator === 'exists') return existsIn(item, left);
    const lefts = walkAll([item], left);
    const rights = lefts.length === 0 ? [] : walkAll([item], right);
    if (lefts.length > 1 || rights.length > 1) {
      throw new Error('can only compare one element at a time');
    }
    return lefts.length === 1 && rights.length === 1 && compare(lefts[0], rights[0], operator);
  });
}

/** A path that fails does not exist. */
function existsIn(item: unknown, path: readonly PathNode[]): boolean {
  try {
    return walkAll([item], path).length > 0;
  } catch {
    return false;
  }
}

function compare(left: unknown, right: unknown, operator: string): boolean {
  if (operator === '!=') return !isEqual(left, right);
  if (operator === '==') return isEqual(left, right);
  const below = isLess(left, right);
  switch (operator) {
    case '<':
      return below;
    case '<=':
      return below || isEqual(left, right);
    case '>':
      return !below && !isEqual(left, right);
    case '>=':
      return !below;
    default:
      throw new Error(`unrecognized filter operator ${operator}`);
  }
}

function isEqual(left: unknown, right: unknown): boolean {
  return requireComparable(left, right) && normal(left) === normal(right);
}

function isLess(left: unknown, right: unknown): boolean {
  requireComparable(left, right);
  if (typeof left === 'boolean') throw new Error('invalid type for comparison');
  return (normal(left) as string | number) < (normal(right) as string | number);
}

/** Go has different types for integers and floats, which cannot be compared. */
function requireComparable(left: unknown, right: unknown): true {
  const [one, other] = [typeOf(left), typeOf(right)];
  if (one === undefined || one !== other) throw new Error('incompatible types for comparison');
  return true;
}

function typeOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return typeof value === 'string' || typeof value === 'boolean' ? typeof value : undefined;
}

function normal(value: unknown): unknown {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
