import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';

/** An unusable document of a backend; the message is the reason. */
export class MalformedDocument extends Error {
  override readonly name = 'MalformedDocument';
}

/**
 * Some thousand resources. A parser works synchronously, so these bounds also limit how long a backend can block the
 * event loop. Without them 16 MiB of brackets take seconds.
 */
export const documentBounds = {
  bytes: 4 * 1024 * 1024,
  depth: 32,
  /** Objects and arrays. */
  containers: 100_000,
  /** All values, counted by their commas. */
  values: 400_000,
  /** Of one element, such as a resource with its subresources. */
  elementBytes: 256 * 1024,
  /** Of everything outside of elements. */
  frameBytes: 1024 * 1024,
} as const;

/** A document whose elements are parsed one at a time. */
export interface ParsedDocument {
  /** The document with marks in the place of its elements. */
  readonly frame: unknown;
  /** Decodes the elements of a list in the frame, and yields to the event loop in between. */
  mapElements<T>(list: readonly unknown[], decode: (element: unknown) => T): Promise<T[]>;
}

const SLICE_BYTES = 64 * 1024;
const ELEMENTS_PER_TURN = 100;

/**
 * Parses a document of a backend. Elements are the objects and lists at that depth; the document itself has depth 1.
 */
export async function parseBounded(
  bytes: Uint8Array,
  { elementDepth }: { readonly elementDepth: number },
): Promise<ParsedDocument> {
  const scan: Scan = { elementDepth, ranges: [], start: 0, ...nothingSeen };
  for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) {
    scanSlice(bytes, [at, Math.min(at + SLICE_BYTES, bytes.byteLength)], scan);
    if (bytes.byteLength > SLICE_BYTES) await turn();
  }
  // Unpredictable, so a document cannot contain a mark.
  const nonce = randomBytes(8).toString('hex');
  const frame = parse(frameOf(bytes, scan.ranges, nonce));
  const elementOf = (mark: unknown): unknown => {
    if (typeof mark !== 'string' || !mark.startsWith(nonce)) return mark;
    const [from, to] = scan.ranges[Number(mark.slice(nonce.length))] ?? [0, 0];
    return parse(bytes.subarray(from, to));
  };
  return {
    frame,
    async mapElements(list, decode) {
      const decoded = [];
      for (const [at, mark] of list.entries()) {
        if (at % ELEMENTS_PER_TURN === ELEMENTS_PER_TURN - 1) await turn();
        decoded.push(decode(elementOf(mark)));
      }
      return decoded;
    },
  };
}

interface Scan {
  readonly elementDepth: number;
  readonly ranges: (readonly [from: number, to: number])[];
  start: number;
  depth: number;
  containers: number;
  values: number;
  inString: boolean;
  escaped: boolean;
}

const nothingSeen = { depth: 0, containers: 0, values: 0, inString: false, escaped: false };

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

function scanSlice(bytes: Uint8Array, [from, to]: readonly [number, number], scan: Scan): void {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (scan.inString) {
      if (scan.escaped) scan.escaped = false;
      else if (byte === BACKSLASH) scan.escaped = true;
      else if (byte === QUOTE) scan.inString = false;
    } else if (byte === QUOTE) scan.inString = true;
    else if (byte === COMMA) scan.values += 1;
    else if (OPENING.includes(byte)) open(scan, at);
    else if (CLOSING.includes(byte)) close(scan, at);
  }
  if (scan.containers > documentBounds.containers) throw tooMuch('containers');
  if (scan.values > documentBounds.values) throw tooMuch('values');
}

function open(scan: Scan, at: number): void {
  scan.depth += 1;
  scan.containers += 1;
  if (scan.depth > documentBounds.depth) throw tooMuch('depth');
  if (scan.depth === scan.elementDepth) scan.start = at;
}

function close(scan: Scan, at: number): void {
  if (scan.depth === scan.elementDepth) {
    if (at - scan.start > documentBounds.elementBytes) throw tooMuch('elementBytes');
    scan.ranges.push([scan.start, at + 1]);
  }
  scan.depth -= 1;
}

function frameOf(bytes: Uint8Array, ranges: Scan['ranges'], nonce: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  let end = 0;
  for (const [index, [from, to]] of ranges.entries()) {
    length += from - end;
    parts.push(bytes.subarray(end, from), Buffer.from(`"${nonce}${index}"`));
    end = to;
  }
  if (length + bytes.byteLength - end > documentBounds.frameBytes) throw tooMuch('frameBytes');
  return Buffer.concat([...parts, bytes.subarray(end)]);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  } catch (error) {
    throw new MalformedDocument('it is no JSON', { cause: error });
  }
}

function tooMuch(what: keyof typeof documentBounds): MalformedDocument {
  return new MalformedDocument(`it is beyond the bound of ${documentBounds[what]} for ${what}`);
}
