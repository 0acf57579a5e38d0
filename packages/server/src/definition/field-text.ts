import type { KubeObject } from '@tributary/apimachinery';
import type { GoType } from '../schema/typed/go-type.ts';
import type { TypedKind } from '../schema/typed/typed-kind.ts';

/**
 * The text of a field for field selectors: absent fields and fields that are not scalars compare as the empty string.
 */
export function fieldText(object: KubeObject, path: string): string {
  let at: unknown = object;
  for (const segment of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, segment)) return '';
    at = (at as Record<string, unknown>)[segment];
  }
  return typeof at === 'object' || at === undefined ? '' : String(at);
}

/** The same for a field of a Go struct, where booleans and numbers have a zero value instead of being absent. */
export function goFieldText(typed: TypedKind, path: string): (object: KubeObject) => string {
  let zero: string | undefined;
  return (object) => {
    const text = fieldText(object, path);
    if (text !== '') return text;
    // The struct is loaded with the first object.
    zero ??= zeroText(typed.struct, path);
    return zero;
  };
}

function zeroText(struct: GoType, path: string): string {
  let type: GoType | undefined = struct;
  for (const segment of path.split('.')) {
    const around: GoType | undefined = type?.kind === 'pointer' ? type.element : type;
    type = around?.kind === 'struct' ? around.byName.get(segment)?.type : undefined;
  }
  switch (type?.kind) {
    case undefined:
      throw new Error(`a selectable field ${path} is not in ${struct.name}`);
    case 'bool':
      return 'false';
    case 'int32':
    case 'int64':
    case 'float64':
      return '0';
    default:
      return '';
  }
}
