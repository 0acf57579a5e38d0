/** Protobuf encodings put together from data: what a JSON document has under a key goes into a numbered field. */
import { stringifyJson } from '@tributary/apimachinery';
import protobuf from 'protobufjs/minimal.js';

/** Where an encoding goes. */
export interface Output {
  readonly writer: protobuf.Writer;
  /** Hears of what has no place in the message. When it returns, that value is left out. */
  readonly misfit: (problem: string) => void;
}

/** Writes one value under a field number; values that are proto3's defaults are left out. */
export type Codec = (output: Output, id: number, value: unknown) => void;

/** Fields by their key in the document. */
export type Fields = Readonly<Record<string, readonly [id: number, codec: Codec]>>;

export interface MessageForm {
  readonly fields: Fields;
  /** Where keys that begin with `x-` go. */
  readonly extensions?: number;
  /** Where every other key goes, as a name with a value: the message is a map with extensions beside. */
  readonly others?: readonly [id: number, codec: Codec];
}

const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;

export const text: Codec = ({ writer, misfit }, id, value) => {
  if (typeof value !== 'string') return misfit(`field ${id} is no text`);
  if (value !== '') writer.uint32(tag(id, DELIMITED)).string(value);
};

export const flag: Codec = ({ writer, misfit }, id, value) => {
  if (typeof value !== 'boolean') return misfit(`field ${id} is neither true nor false`);
  if (value) writer.uint32(tag(id, VARINT)).bool(value);
};

export const int64: Codec = ({ writer, misfit }, id, value) => {
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) {
    writer.uint32(tag(id, VARINT)).int64(halvesOf(value));
    return;
  }
  if (!Number.isSafeInteger(value)) return misfit(`field ${id} is no integer`);
  if (value !== 0) writer.uint32(tag(id, VARINT)).int64(value as number);
};

/** As protobufjs takes integers that a number cannot hold. */
function halvesOf(value: bigint): protobuf.Long {
  const low = Number(BigInt.asIntN(32, value));
  const high = Number(BigInt.asIntN(32, value >> 32n));
  return { low, high, unsigned: false };
}

export const double: Codec = ({ writer, misfit }, id, value) => {
  // Integers beyond 2^53 come as bigint, and are rounded by everybody who reads a double.
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number') return misfit(`field ${id} is no number`);
  if (number !== 0) writer.uint32(tag(id, FIXED64)).double(number);
};

/** Any value, as YAML text. JSON is YAML. */
export const any: Codec = ({ writer }, id, value) => {
  writer.uint32(tag(id, DELIMITED)).fork();
  writer.uint32(tag(2, DELIMITED)).string(`${stringifyJson(value)}\n`);
  writer.ldelim();
};

/** The form is asked for once, and late: messages contain themselves. */
export function message(form: () => MessageForm): Codec {
  let known: MessageForm | undefined;
  return (output, id, value) => {
    known ??= form();
    output.writer.uint32(tag(id, DELIMITED)).fork();
    writeMessage(output, known, value);
    output.writer.ldelim();
  };
}

/** A whole document, which has no field number around it. */
export function encodeMessage(
  form: MessageForm,
  value: unknown,
  misfit: Output['misfit'],
): Uint8Array {
  const output: Output = { writer: protobuf.Writer.create(), misfit };
  writeMessage(output, form, value);
  return output.writer.finish();
}

/** A field whose value is a message that is there already, in pieces. */
export function delimited(id: number, pieces: readonly Uint8Array[]): Uint8Array[] {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const head = protobuf.Writer.create().uint32(tag(id, DELIMITED)).uint32(length).finish();
  return [head, ...pieces];
}

export function repeated(codec: Codec): Codec {
  return (output, id, value) => {
    if (!Array.isArray(value)) return output.misfit(`field ${id} is no list`);
    for (const element of value) codec(output, id, element);
  };
}

/** A message with one field, which holds what the document has here directly. */
export function wrapped(inner: number, codec: Codec): Codec {
  return (output, id, value) => {
    output.writer.uint32(tag(id, DELIMITED)).fork();
    codec(output, inner, value);
    output.writer.ldelim();
  };
}

/** A map of the document: a message with a list of names and values. */
export function named(codec: Codec): Codec {
  return message(() => ({ fields: {}, others: [1, codec] }));
}

export function choice(choose: (value: unknown) => Codec): Codec {
  return (output, id, value) => choose(value)(output, id, value);
}

function entriesOf({ misfit }: Output, value: unknown): [string, unknown][] {
  if (typeof value === 'object' && value !== null) return Object.entries(value);
  misfit('not an object');
  return [];
}

function writeMessage(output: Output, form: MessageForm, value: unknown): void {
  const { fields, extensions, others } = form;
  for (const [key, inner] of entriesOf(output, value)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field !== undefined) field[1](output, field[0], inner);
    else if (extensions !== undefined && key.startsWith('x-')) {
      writeEntry(output, [extensions, any], key, inner);
    } else if (others !== undefined) writeEntry(output, others, key, inner);
    else output.misfit(`${key} has no place in the message`);
  }
}

function writeEntry(
  output: Output,
  [id, codec]: readonly [number, Codec],
  name: string,
  value: unknown,
): void {
  output.writer.uint32(tag(id, DELIMITED)).fork();
  text(output, 1, name);
  codec(output, 2, value);
  output.writer.ldelim();
}

function tag(id: number, wireType: number): number {
  return ((id << 3) | wireType) >>> 0;
}
