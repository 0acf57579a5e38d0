import { isRecord } from './schema-node.ts';

/** The key of an element of a list of type map; undefined when a key is absent or not a scalar. */
export function mapKeyOf(element: unknown, names: readonly string[]): string | undefined {
  if (!isRecord(element) || names.length === 0) return undefined;
  let key = '';
  for (const name of names) {
    const value = Object.hasOwn(element, name) ? element[name] : undefined;
    switch (typeof value) {
      case 'string':
        key += `s${JSON.stringify(value)}`;
        break;
      case 'number':
      case 'bigint':
      case 'boolean':
        key += `${typeof value === 'boolean' ? 'b' : 'n'}${value},`;
        break;
      default:
        return undefined;
    }
  }
  return key;
}
