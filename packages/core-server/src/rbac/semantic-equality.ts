/**
 * Whether two JSON values say the same, as upstream compares objects: what is empty is not there. Unlike numbers,
 * text and lists, the members of an object have no order.
 */
export function isSemanticallyEqual(a: unknown, b: unknown): boolean {
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((element, index) => isSemanticallyEqual(element, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSemanticallyEqual(own(a, name), own(b, name)));
}

/** Go leaves these out of JSON, and reads what is left out as these. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) {
    return true;
  }
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every(isNothing);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
