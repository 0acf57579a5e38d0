import { parametersOf, runtimeName, type Type } from './types.ts';

/** A type as messages of the checker write it: `list(string)`, `optional_type(int)`, `timestamp`. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'duration':
    case 'timestamp':
    case 'null':
      return type.kind;
    case 'error':
      return '!error!';
    default: {
      const parameters = parametersOf(type);
      const name = runtimeName(type);
      return parameters.length === 0 ? name : `${name}(${parameters.map(formatType).join(', ')})`;
    }
  }
}

/** The arguments of a call: `(int, string)`, or `string.(int)` for a member call. */
export function formatSignature(types: readonly Type[], member: boolean): string {
  const names = types.map(formatType);
  return member ? `${names[0]}.(${names.slice(1).join(', ')})` : `(${names.join(', ')})`;
}
