/** Like an assignment, for any name: `__proto__` is data. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') {
    object[name] = value;
    return;
  }
  const own = { value, configurable: true, enumerable: true, writable: true };
  Object.defineProperty(object, name, own);
}
