/**
 * Compares JSON values as upstream's `equality.Semantic` compares objects: empty and absent are equal. Numbers, strings
 * and lists are compared in order; members of an object have none.
 */
export function isSemanticallyEqual(a: unknown, b: unknown): boolean {
  if (isEmptyValue(a) || isEmptyValue(b)) return isEmptyValue(a) && isEmptyValue(b);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((element, index) => isSemanticallyEqual(element, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) =>
    isSemanticallyEqual(ownProperty(a, name), ownProperty(b, name)),
  );
}

/** Go omits these from JSON, and decodes omitted fields as these. */
function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) {
    return true;
  }
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every(isEmptyValue);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ownProperty(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
