export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets a member of any name; unlike an assignment it stores `__proto__` as data. */
export function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name !== '__proto__') {
    object[name] = value;
    return;
  }
  const descriptor = { value, configurable: true, enumerable: true, writable: true };
  Object.defineProperty(object, name, descriptor);
}
