/** Protobuf encodings put together from data: what a JSON document has under a key goes into a numbered field. */
import protobuf from 'protobufjs/minimal.js';

type Writer = protobuf.Writer;

/** Writes one value under a field number; values that are proto3's defaults are left out. */
export type Codec = (writer: Writer, id: number, value: unknown) => void;

/** Fields by their key in the document. */
export type Fields = Readonly<Record<string, readonly [id: number, codec: Codec]>>;

export interface MessageForm {
  readonly fields: Fields;
  /** Where keys that begin with `x-` go. */
  readonly extensions?: number;
}

const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;

export const text: Codec = (writer, id, value) => {
  if (typeof value !== 'string') throw new TypeError(`field ${id} is no text`);
  if (value !== '') writer.uint32(tag(id, DELIMITED)).string(value);
};

export const flag: Codec = (writer, id, value) => {
  if (typeof value !== 'boolean') throw new TypeError(`field ${id} is neither true nor false`);
  if (value) writer.uint32(tag(id, VARINT)).bool(value);
};

export const int64: Codec = (writer, id, value) => {
  if (!Number.isSafeInteger(value)) throw new TypeError(`field ${id} is no integer`);
  if (value !== 0) writer.uint32(tag(id, VARINT)).int64(value as number);
};

export const double: Codec = (writer, id, value) => {
  if (typeof value !== 'number') throw new TypeError(`field ${id} is no number`);
  if (value !== 0) writer.uint32(tag(id, FIXED64)).double(value);
};

/** Any value, as YAML text. JSON is YAML. */
export const any: Codec = (writer, id, value) => {
  writer.uint32(tag(id, DELIMITED)).fork();
  writer.uint32(tag(2, DELIMITED)).string(`${JSON.stringify(value)}\n`);
  writer.ldelim();
};

export function message(form: () => MessageForm): Codec {
  return (writer, id, value) => {
    writer.uint32(tag(id, DELIMITED)).fork();
    writeMessage(writer, form(), value);
    writer.ldelim();
  };
}

/** A whole document, which has no field number around it. */
export function encodeMessage(form: MessageForm, value: unknown): Uint8Array {
  const writer = protobuf.Writer.create();
  writeMessage(writer, form, value);
  return writer.finish();
}

export function repeated(codec: Codec): Codec {
  return (writer, id, value) => {
    if (!Array.isArray(value)) throw new TypeError(`field ${id} is no list`);
    for (const element of value) codec(writer, id, element);
  };
}

/** A message with one field, which holds what the document has here directly. */
export function wrapped(inner: number, codec: Codec): Codec {
  return (writer, id, value) => {
    writer.uint32(tag(id, DELIMITED)).fork();
    codec(writer, inner, value);
    writer.ldelim();
  };
}

/** A map of the document: a message with a list of names and values. */
export function named(codec: Codec, listId = 1): Codec {
  const entries: Codec = (writer, id, value) => {
    for (const [name, entry] of entriesOf(value)) writeEntry(writer, id, name, entry, codec);
  };
  return wrapped(listId, entries);
}

export function choice(choose: (value: unknown) => Codec): Codec {
  return (writer, id, value) => choose(value)(writer, id, value);
}

export function entriesOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) throw new TypeError('not an object');
  return Object.entries(value);
}

function writeMessage(writer: Writer, { fields, extensions }: MessageForm, value: unknown): void {
  for (const [key, inner] of entriesOf(value)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field !== undefined) field[1](writer, field[0], inner);
    else if (extensions !== undefined && key.startsWith('x-')) {
      writeEntry(writer, extensions, key, inner, any);
    } else throw new TypeError(`${key} has no place in the message`);
  }
}

function writeEntry(writer: Writer, id: number, name: string, value: unknown, codec: Codec): void {
  writer.uint32(tag(id, DELIMITED)).fork();
  text(writer, 1, name);
  codec(writer, 2, value);
  writer.ldelim();
}

function tag(id: number, wireType: number): number {
  return ((id << 3) | wireType) >>> 0;
}
