import protobuf from 'protobufjs/minimal.js';

/** A message that cannot be decoded. */
export class ProtobufError extends Error {}

/** One field of a message: an integer, or bytes whose meaning the type knows. */
export interface WireField {
  readonly number: number;
  readonly integer?: bigint;
  readonly bytes?: Uint8Array;
  /** 64 bits, the encoding of a double. */
  readonly fixed?: Uint8Array;
}

/** The fields of a message in their order. Fields of 32 bits, which Kubernetes does not use, are skipped. */
export function fieldsOfMessage(bytes: Uint8Array): WireField[] {
  try {
    return readFields(bytes);
  } catch (error) {
    if (error instanceof RangeError) throw new ProtobufError('unexpected EOF');
    throw error instanceof ProtobufError
      ? error
      : new ProtobufError('a number has too many bytes', { cause: error });
  }
}

const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const FIXED32 = 5;
const NUMBER_MAX = 2 ** 29 - 1;

function readFields(bytes: Uint8Array): WireField[] {
  const fields: WireField[] = [];
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < reader.len) {
    const tag = readInteger(reader);
    const number = Number(tag >> 3n);
    if (number === 0 || number > NUMBER_MAX) throw new ProtobufError('a field has no number');
    switch (Number(tag & 7n)) {
      case VARINT:
        fields.push({ number, integer: readInteger(reader) });
        break;
      case FIXED64:
        fields.push({ number, fixed: readBytes(reader, 8) });
        break;
      case DELIMITED:
        fields.push({ number, bytes: readBytes(reader, Number(readInteger(reader))) });
        break;
      case FIXED32:
        reader.skip(4);
        break;
      default:
        throw new ProtobufError(`field ${number} is of a wire type that is not known`);
    }
  }
  return fields;
}

/** All 64 bits: a number would round those beyond 2^53. */
function readInteger(reader: protobuf.Reader): bigint {
  const { low, high } = reader.uint64() as protobuf.Long;
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** A view of the message, not a copy. */
function readBytes(reader: protobuf.Reader, length: number): Uint8Array {
  const start = reader.pos;
  if (length > 0) reader.skip(length); // Without a length it would skip a varint.
  return reader.buf.subarray(start, reader.pos);
}
