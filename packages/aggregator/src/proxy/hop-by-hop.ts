/** What is about one connection and ends with it (RFC 9110, 7.6.1), with those that old programs send. */
const HOP_BY_HOP = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function isHopByHop(name: string): boolean {
  return HOP_BY_HOP.has(name);
}

const NONE: ReadonlySet<string> = new Set();

/** More names that a sender says are about the connection. */
export function namedByConnection(values: readonly string[]): ReadonlySet<string> {
  if (values.length === 0) return NONE;
  const names = values.flatMap((value) => value.split(','));
  return new Set(names.map((name) => name.trim().toLowerCase()));
}
