import { type ChangeEvent, type Revision, type Stored, unreadablePut } from '@tributary/storage';
import { type BytePacker, type BytesLocation, unpack } from './byte-packer.ts';
import { damagedValue } from './errors.ts';

/**
 * Many values, or events, as a message between threads. Cloning a thousand small objects takes fifteen times as long as
 * cloning their keys and one array of their numbers.
 */
export interface Columns {
  readonly keys: readonly string[];
  readonly numbers: Float64Array;
}

/** Revision, and the position of the value; a damaged one is in no buffer. */
const NUMBERS_PER_STORED = 4;
const DAMAGED = -1;

export function packStored(items: readonly Stored[], packer: BytePacker): Columns {
  const numbers = new Float64Array(items.length * NUMBERS_PER_STORED);
  for (const [at, stored] of items.entries()) {
    writeStored(numbers, at * NUMBERS_PER_STORED, stored, packer);
  }
  return { keys: items.map(({ key }) => key), numbers };
}

export function unpackStored(
  { keys, numbers }: Columns,
  buffers: readonly ArrayBuffer[],
): Stored[] {
  return keys.map(
    (key, at) => readStored(key, numbers, at * NUMBERS_PER_STORED, buffers) as Stored,
  );
}

/** The written value, if any, then the replaced one, if any; revision 0 is neither. */
const NUMBERS_PER_EVENT = 1 + 2 * NUMBERS_PER_STORED;

export function packEvents(events: readonly ChangeEvent[], packer: BytePacker): Columns {
  const numbers = new Float64Array(events.length * NUMBERS_PER_EVENT);
  for (const [at, event] of events.entries()) {
    const start = at * NUMBERS_PER_EVENT;
    const { revision, previous } = event;
    numbers[start] = revision;
    if (event.kind === 'put') {
      writeStored(numbers, start + 1, event, packer);
    }
    if (previous !== undefined) {
      writeStored(numbers, start + 1 + NUMBERS_PER_STORED, previous, packer);
    }
  }
  return { keys: events.map(({ key }) => key), numbers };
}

export function unpackEvents(
  { keys, numbers }: Columns,
  buffers: readonly ArrayBuffer[],
): ChangeEvent[] {
  return keys.map((key, at): ChangeEvent => {
    const start = at * NUMBERS_PER_EVENT;
    const revision = numbers[start] as Revision;
    const written = readStored(key, numbers, start + 1, buffers);
    const previous = readStored(key, numbers, start + 1 + NUMBERS_PER_STORED, buffers);
    if (written?.unreadable) {
      return unreadablePut({ key, revision, previous }, written.unreadable);
    }
    if (written !== undefined)
      return { kind: 'put', key, revision, value: written.value, previous };
    return { kind: 'delete', key, revision, previous: previous as Stored };
  });
}

function writeStored(
  numbers: Float64Array,
  start: number,
  stored: Stored,
  packer: BytePacker,
): void {
  numbers[start] = stored.revision;
  if (stored.unreadable) {
    numbers[start + 1] = DAMAGED;
    return;
  }
  const { buffer, offset, length } = packer.add(stored.value);
  numbers[start + 1] = buffer;
  numbers[start + 2] = offset;
  numbers[start + 3] = length;
}

function readStored(
  key: string,
  numbers: Float64Array,
  start: number,
  buffers: readonly ArrayBuffer[],
): Stored | undefined {
  const [revision, buffer, offset, length] = numbers.subarray(start, start + NUMBERS_PER_STORED);
  if (revision === 0) return undefined;
  if (buffer === DAMAGED) return damagedValue({ key, revision: revision as Revision });
  const place = { buffer, offset, length } as BytesLocation;
  return { key, revision: revision as Revision, value: unpack(buffers, place) };
}
