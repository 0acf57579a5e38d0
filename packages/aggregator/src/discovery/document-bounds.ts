import { setImmediate as turn } from 'node:timers/promises';

/** A document of another server that cannot be used; the message says why. */
export class MalformedDocument extends Error {
  override readonly name = 'MalformedDocument';
}

/**
 * Some thousand resources. A parser works on a whole document at once, so these bounds also say for how long nothing
 * else happens here: some milliseconds, whatever the other server sends. Without them 16 MiB of brackets take seconds.
 */
export const documentBounds = {
  bytes: 4 * 1024 * 1024,
  depth: 32,
  /** Objects and arrays. */
  containers: 100_000,
  /** All values together, counted by their commas. */
  values: 400_000,
} as const;

const SLICE_BYTES = 64 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Parses what another server sent. Looks at it in slices first, so that others have their turn in between. */
export async function parseBounded(bytes: Uint8Array): Promise<unknown> {
  const counts = { depth: 0, containers: 0, values: 0, inString: false, escaped: false };
  for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) {
    count(bytes.subarray(at, at + SLICE_BYTES), counts);
    if (bytes.byteLength > SLICE_BYTES) await turn();
  }
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  } catch (error) {
    throw new MalformedDocument('it is no JSON', { cause: error });
  }
}

interface Counts {
  depth: number;
  containers: number;
  values: number;
  inString: boolean;
  escaped: boolean;
}

function count(slice: Uint8Array, counts: Counts): void {
  for (const byte of slice) {
    if (counts.inString) {
      if (counts.escaped) counts.escaped = false;
      else if (byte === BACKSLASH) counts.escaped = true;
      else if (byte === QUOTE) counts.inString = false;
    } else if (byte === QUOTE) counts.inString = true;
    else if (byte === COMMA) counts.values += 1;
    else if (OPENING.has(byte)) {
      counts.depth += 1;
      counts.containers += 1;
      if (counts.depth > documentBounds.depth) throw tooMuch('depth');
    } else if (CLOSING.has(byte)) counts.depth -= 1;
  }
  if (counts.containers > documentBounds.containers) throw tooMuch('containers');
  if (counts.values > documentBounds.values) throw tooMuch('values');
}

function tooMuch(what: keyof typeof documentBounds): MalformedDocument {
  return new MalformedDocument(`it is beyond the bound of ${documentBounds[what]} for ${what}`);
}
