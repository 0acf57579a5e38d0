import { goPrint } from './go-value-text.ts';
import { itemElement } from './list-items.ts';
import { fieldElement, type PathElement, printPathElement } from './path-element.ts';
import { deduceForm, isMap, type ListType, type MapType, type Scalar, type Type } from './type.ts';
import { TypedError, type TypedProblem } from './typed-error.ts';

/** Errors reported for one value; a broken document must not make a long answer. */
const PROBLEMS_MAX = 100;

/** Refuses a value that does not fit its type. What a client applies may have no item twice. */
export function requireTyped(
  value: unknown,
  type: Type,
  options: { readonly allowDuplicates: boolean },
): void {
  const problems: TypedProblem[] = [];
  visit(value, type, '', { ...options, problems });
  if (problems.length > 0) throw new TypedError(problems.slice(0, PROBLEMS_MAX));
}

interface Circumstances {
  readonly allowDuplicates: boolean;
  readonly problems: TypedProblem[];
}

function visit(value: unknown, type: Type, path: string, circumstances: Circumstances): void {
  const report = (message: string) => circumstances.problems.push({ path, message });
  switch (deduceForm(type, value).form) {
    case 'map':
      if (isMap(value)) visitFields(value, type.map as MapType, path, circumstances);
      else if (value !== null) report(`expected map, got ${goPrint(value)}`);
      return;
    case 'list':
      if (Array.isArray(value)) visitItems(value, type.list as ListType, path, circumstances);
      else if (value !== null) report(`expected list, got ${goPrint(value)}`);
      return;
    case 'scalar': {
      const problem = scalarProblem(type.scalar as Scalar, value);
      if (problem !== undefined) report(problem);
      return;
    }
    default:
      report('schema error: invalid atom: inlined');
  }
}

function visitFields(
  value: Readonly<Record<string, unknown>>,
  { fields, element }: MapType,
  path: string,
  circumstances: Circumstances,
): void {
  for (const [name, one] of Object.entries(value)) {
    const at = path + printPathElement(fieldElement(name));
    const type = fields.get(name)?.type ?? element;
    if (type === undefined) {
      circumstances.problems.push({ path: at, message: 'field not declared in schema' });
      return;
    }
    visit(one, type, at, circumstances);
  }
}

function visitItems(
  items: readonly unknown[],
  type: ListType,
  path: string,
  circumstances: Circumstances,
): void {
  const { problems, allowDuplicates } = circumstances;
  const seen = new Set<PathElement>();
  for (const [index, item] of items.entries()) {
    let element: PathElement = `i:${index}`;
    if (type.relationship === 'associative') {
      try {
        element = itemElement(type, item);
      } catch (error) {
        problems.push({ path, message: `element ${index}: ${(error as Error).message}` });
        return;
      }
      if (seen.has(element) && !allowDuplicates) {
        problems.push({ path, message: `duplicate entries for key ${printPathElement(element)}` });
      }
      seen.add(element);
    }
    visit(item, type.element, path + printPathElement(element), circumstances);
  }
}

export function scalarProblem(scalar: Scalar, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  switch (scalar) {
    case 'numeric':
      return isNumber ? undefined : `expected numeric (int or float), got ${goTypeName(value)}`;
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${goPrint(value)}`;
    default:
      return typeof value === 'object' ? `expected any scalar, got ${goPrint(value)}` : undefined;
  }
}

function goTypeName(value: unknown): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** As Go shows a value in its own syntax. */
function goSyntax(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isMap(value)) return String(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${goSyntax(value[name])}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}
