/**
 * Encodes plain data of any depth as compact JSON, bigint as an integer. Negative zero becomes `0` and 1.0
 * becomes `1`, which are the same numbers.
 */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // `JSON.stringify` throws a TypeError for a bigint and a RangeError for deep nesting. Both are rare.
    if (error instanceof TypeError || error instanceof RangeError) return stringifySlowly(value);
    throw error;
  }
}

/** Iterative; the stack holds text as strings and values in objects. */
function stringifySlowly(root: unknown): string {
  let text = '';
  const ancestors = new Set<object>();
  const pending: Pending[] = [{ value: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') {
      text += next;
    } else if ('leave' in next) {
      ancestors.delete(next.leave);
    } else if (typeof next.value === 'object' && next.value !== null) {
      if (ancestors.has(next.value)) throw new TypeError('a value contains itself');
      ancestors.add(next.value);
      pending.push({ leave: next.value });
      for (const part of contents(next.value).reverse()) pending.push(part);
    } else {
      text += scalarText(next.value);
    }
  }
  return text;
}

type Pending = string | { readonly value: unknown } | { readonly leave: object };

function contents(value: object): Pending[] {
  const list: Pending[] = [];
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      list.push(index === 0 ? '[' : ',', { value: element });
    }
    list.push(value.length === 0 ? '[]' : ']');
    return list;
  }
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    list.push(`${list.length === 0 ? '{' : ','}${JSON.stringify(key)}:`, { value: member });
  }
  list.push(list.length === 0 ? '{}' : '}');
  return list;
}

function scalarText(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  return JSON.stringify(value) ?? 'null';
}
