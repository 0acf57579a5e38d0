/** Appends the members of an object, whose values are encoded as JSON, to chunks of JSON, a step for each. */
export function* addMembers<Value>(
  pieces: string[],
  members: Iterable<readonly [string, Value]>,
  write: (value: Value, name: string) => string,
): Generator<void, void> {
  let separator = '';
  for (const [name, value] of members) {
    pieces.push(`${separator}${JSON.stringify(name)}:${write(value, name)}`);
    separator = ',';
    yield;
  }
}

/** Bytes copied in one step. */
const COPY_BYTES = 4 * 2 ** 20;

/** Joins chunks in steps: tens of megabytes take longer to copy than requests may wait. */
export function* joined(chunks: readonly Uint8Array[]): Generator<void, Uint8Array> {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  let copied = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
    copied += chunk.length;
    if (copied < COPY_BYTES) continue;
    copied = 0;
    yield;
  }
  return whole;
}
