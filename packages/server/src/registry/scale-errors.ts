import { type FieldError, fieldError, type KubeObject, root } from '@tributary/apimachinery';
import type { ScalePaths } from '../definition/subresource.ts';

const INT32_MAX = 2 ** 31 - 1;

/** Errors of the replicas in the spec, which autoscalers could not read. */
export function scaleSpecErrors(
  object: KubeObject,
  paths: ScalePaths | undefined,
): readonly FieldError[] {
  return paths === undefined ? [] : replicasErrors(object, paths.specReplicasPath);
}

/** Errors of the replicas and the selector in the status. */
export function scaleStatusErrors(
  object: KubeObject,
  paths: ScalePaths | undefined,
): readonly FieldError[] {
  if (paths === undefined) return [];
  const errors = [...replicasErrors(object, paths.statusReplicasPath)];
  if (paths.labelSelectorPath !== undefined) {
    errors.push(...textErrors(object, paths.labelSelectorPath));
  }
  return errors;
}

function replicasErrors(object: KubeObject, path: string): readonly FieldError[] {
  const found = fieldOf(object, path);
  if (!found.ok) return [fieldError.invalid(root(path), 0, found.why)];
  const { value = 0, name } = found;
  const isInteger = Number.isInteger(value) || typeof value === 'bigint';
  if (!isInteger) return [fieldError.invalid(root(path), 0, accessorError(name, value, 'int64'))];
  const number = value as number | bigint;
  if (number < 0)
    return [fieldError.invalid(root(path), number, 'should be a non-negative integer')];
  if (number <= INT32_MAX) return [];
  return [fieldError.invalid(root(path), number, `should be less than or equal to ${INT32_MAX}`)];
}

function textErrors(object: KubeObject, path: string): readonly FieldError[] {
  const found = fieldOf(object, path);
  if (!found.ok) return [fieldError.invalid(root(path), '', found.why)];
  const { value = '', name } = found;
  if (typeof value === 'string') return [];
  return [fieldError.invalid(root(path), '', accessorError(name, value, 'string'))];
}

type Found =
  | { readonly ok: true; readonly value?: unknown; readonly name: string }
  | { readonly ok: false; readonly why: string };

function fieldOf(object: KubeObject, path: string): Found {
  const names = path.replace(/^\./, '').split('.');
  let at: unknown = object;
  for (const [index, name] of names.entries()) {
    if (typeof at !== 'object' || at === null || Array.isArray(at)) {
      const before = names.slice(0, index + 1).join('.');
      return { ok: false, why: accessorError(`.${before}`, at, 'map[string]interface {}') };
    }
    if (!Object.hasOwn(at, name)) return { ok: true, name: `.${names.join('.')}` };
    at = (at as Record<string, unknown>)[name];
  }
  return { ok: true, value: at, name: `.${names.join('.')}` };
}

/** The message of Go, with the value and its type. */
function accessorError(path: string, value: unknown, wanted: string): string {
  return `${path} accessor error: ${goValue(value)} is of the type ${goType(value)}, expected ${wanted}`;
}

function goValue(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([name, one]) => `${name}:${goValue(one)}`).join(' ')}]`;
}

function goType(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    case 'boolean':
      return 'bool';
    case 'object':
      return 'map[string]interface {}';
    default:
      return 'string';
  }
}
