import { CelError } from '../values/errors.ts';
import { runtimeName, type Type } from '../values/types.ts';
import { type Result, typeOfValue, type Value } from '../values/value.ts';

/** Whether a value can be given where a type is declared. Of lists and maps only the first entry is looked at. */
export function fits(type: Type, value: Result | undefined): boolean {
  if (value === undefined || value instanceof CelError) {
    return false;
  }
  if (isAnything(type)) {
    return true;
  }
  if (runtimeName(type) !== runtimeName(typeOfValue(value))) {
    return false;
  }
  switch (type.kind) {
    case 'list':
      return isAnything(type.element) || firstElementFits(type.element, value);
    case 'map':
      return (isAnything(type.key) && isAnything(type.value)) || firstEntryFits(type, value);
    default:
      return true;
  }
}

function isAnything(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'parameter';
}

function firstElementFits(element: Type, value: Value): boolean {
  const isList =
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'list';
  return isList && (value.size === 0 || fits(element, value.at(0)));
}

function firstEntryFits(type: Type & { kind: 'map' }, value: Value): boolean {
  const isMap =
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'map';
  if (!isMap) {
    return false;
  }
  for (const key of value.keys()) {
    return fits(type.key, key) && fits(type.value, value.get(key));
  }
  return true;
}

/** `name(int, string)`, as the error of a call that no overload fits says it. */
export function runtimeSignature(name: string, args: readonly Value[]): string {
  return `${name}(${args.map((value) => runtimeName(typeOfValue(value))).join(', ')})`;
}
