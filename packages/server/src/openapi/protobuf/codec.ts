/** Protobuf encoders as data: the value of a JSON key becomes a numbered field. */
import { stringifyJson } from '@tributary/apimachinery';
import protobuf from 'protobufjs/minimal.js';

/** The destination of an encoding. */
export interface Output {
  readonly writer: protobuf.Writer;
  /** Called for values that the message cannot represent. When it returns, the value is omitted. */
  readonly misfit: (problem: string) => void;
}

/** Writes one value with a field number; proto3's default values are omitted. */
export type Codec = (output: Output, id: number, value: unknown) => void;

/** Fields by their key in the document. */
export type Fields = Readonly<Record<string, readonly [id: number, codec: Codec]>>;

export interface MessageForm {
  readonly fields: Fields;
  /** The field of keys that begin with `x-`. */
  readonly extensions?: number;
  /** The field of every other key, as a name with a value: the message is a map with extensions. */
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

/** The form in which protobufjs accepts integers beyond 2^53. */
function halvesOf(value: bigint): protobuf.Long {
  const low = Number(BigInt.asIntN(32, value));
  const high = Number(BigInt.asIntN(32, value >> 32n));
  return { low, high, unsigned: false };
}

export const double: Codec = ({ writer, misfit }, id, value) => {
  // Integers beyond 2^53 are bigints, and every reader of a double rounds them.
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

/** The form is evaluated lazily and once: messages are recursive. */
export function message(form: () => MessageForm): Codec {
  let known: MessageForm | undefined;
  return (output, id, value) => {
    known ??= form();
    output.writer.uint32(tag(id, DELIMITED)).fork();
    writeMessage(output, known, value);
    output.writer.ldelim();
  };
}

/** A whole document, without a field number. */
export function encodeMessage(
  form: MessageForm,
  value: unknown,
  misfit: Output['misfit'],
): Uint8Array {
  const output: Output = { writer: protobuf.Writer.create(), misfit };
  writeMessage(output, form, value);
  return output.writer.finish();
}

/** A field whose value is an encoded message, in chunks. */
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

/** A message with one field for the value that the document has here directly. */
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
