/** Changes inputs a little, as a seed says: what a parser reads stays near to what it accepts. */
import type { SeededRandom } from '../harness/index.ts';

export interface MutatorOptions {
  readonly random: SeededRandom;
  /** Inputs to begin with and to cross with each other; it may grow meanwhile. */
  readonly pool: readonly Buffer[];
  /** Pieces that mean something to the parser. */
  readonly tokens: readonly Buffer[];
  readonly bytesMax: number;
}

const CHANGES_MAX = 6;
const REPEATS_MAX = 64;
const INTERESTING_BYTES = [0, 1, 0x0a, 0x0d, 0x20, 0x22, 0x5c, 0x7f, 0x80, 0xc3, 0xed, 0xff];

type Change = (bytes: Buffer, options: MutatorOptions) => Buffer;

const flipBit: Change = (bytes, { random }) => {
  const copy = Buffer.from(bytes);
  const at = placeIn(bytes, random);
  copy[at] = (copy[at] ?? 0) ^ (1 << random.int(0, 7));
  return copy;
};

const setByte: Change = (bytes, { random }) => {
  const copy = Buffer.from(bytes);
  const byte = random.chance(0.5) ? random.pick(INTERESTING_BYTES) : random.int(0, 255);
  copy[placeIn(bytes, random)] = byte;
  return copy;
};

const removePart: Change = (bytes, { random }) => {
  const { from, to } = rangeIn(bytes, random);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
};

const repeatPart: Change = (bytes, { random }) => {
  const { from, to } = rangeIn(bytes, random);
  const part = bytes.subarray(from, to);
  const times = random.chance(0.1) ? random.int(2, REPEATS_MAX) : 1;
  const copies = Array.from({ length: times }, () => part);
  return Buffer.concat([bytes.subarray(0, to), ...copies, bytes.subarray(to)]);
};

const movePart: Change = (bytes, { random }) => {
  const { from, to } = rangeIn(bytes, random);
  const rest = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  return insert(rest, placeIn(rest, random), bytes.subarray(from, to));
};

const insertToken: Change = (bytes, { random, tokens }) =>
  insert(bytes, random.int(0, bytes.length), random.pick(tokens));

const replaceByToken: Change = (bytes, { random, tokens }) => {
  const { from, to } = rangeIn(bytes, random);
  return Buffer.concat([bytes.subarray(0, from), random.pick(tokens), bytes.subarray(to)]);
};

const cross: Change = (bytes, { random, pool }) => {
  const other = random.pick(pool);
  const { from, to } = rangeIn(other, random);
  return insert(bytes, placeIn(bytes, random), other.subarray(from, to));
};

const joinHalves: Change = (bytes, { random, pool }) => {
  const other = random.pick(pool);
  const head = bytes.subarray(0, random.int(0, bytes.length));
  return Buffer.concat([head, other.subarray(random.int(0, other.length))]);
};

const changeNumber: Change = (bytes, { random }) => {
  const digits = /\d+/g;
  const text = bytes.toString('latin1');
  const all = [...text.matchAll(digits)];
  if (all.length === 0) return bytes;
  const { index, 0: old } = random.pick(all);
  const number = random.pick([
    '0',
    '-1',
    '1',
    '00',
    '9'.repeat(random.int(1, 400)),
    '1e999',
    `${old}0`,
  ]);
  return Buffer.from(text.slice(0, index) + number + text.slice(index + old.length), 'latin1');
};

const CHANGES: readonly Change[] = [
  flipBit,
  setByte,
  removePart,
  repeatPart,
  movePart,
  insertToken,
  insertToken,
  replaceByToken,
  replaceByToken,
  cross,
  joinHalves,
  changeNumber,
];

export function mutate(options: MutatorOptions): Buffer {
  const { random, pool, bytesMax } = options;
  let bytes = random.pick(pool);
  const changes = random.chance(0.5) ? 1 : random.int(2, CHANGES_MAX);
  for (let at = 0; at < changes; at += 1) {
    bytes = random.pick(CHANGES)(bytes, options).subarray(0, bytesMax);
  }
  return bytes;
}

function placeIn(bytes: Buffer, random: SeededRandom): number {
  return random.int(0, Math.max(0, bytes.length - 1));
}

/** Short ranges are the likely ones: they leave the rest of the input as it was. */
function rangeIn(bytes: Buffer, random: SeededRandom): { from: number; to: number } {
  const from = random.int(0, bytes.length);
  const length = random.chance(0.7) ? random.int(0, 8) : random.int(0, bytes.length);
  return { from, to: Math.min(bytes.length, from + length) };
}

function insert(bytes: Buffer, at: number, part: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
}
