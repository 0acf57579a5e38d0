/** A message that cannot be read. */
export class ProtobufError extends Error {}

/** One field as it lies in a message: a whole number, or bytes whose meaning the type knows. */
export interface WireField {
  readonly number: number;
  readonly integer?: bigint;
  readonly bytes?: Uint8Array;
  /** 64 bits, which only fractional numbers are written in. */
  readonly fixed?: Uint8Array;
}

/** The fields of a message in their order. Those of 32 bits, which Kubernetes does not use, are skipped. */
export function fieldsOfMessage(bytes: Uint8Array): WireField[] {
  const fields: WireField[] = [];
  const reader = new WireReader(bytes);
  while (!reader.atEnd) {
    const tag = reader.varint();
    const number = Number(tag >> 3n);
    if (number === 0 || number > NUMBER_MAX) throw new ProtobufError('a field has no number');
    switch (Number(tag & 7n)) {
      case 0:
        fields.push({ number, integer: reader.varint() });
        break;
      case 1:
        fields.push({ number, fixed: reader.take(8) });
        break;
      case 2:
        fields.push({ number, bytes: reader.take(Number(reader.varint())) });
        break;
      case 5:
        reader.take(4);
        break;
      default:
        throw new ProtobufError(`field ${number} is of a wire type that is not known`);
    }
  }
  return fields;
}

const NUMBER_MAX = 2 ** 29 - 1;
/** Seven bits each. */
const VARINT_BYTES_MAX = 10;

class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let count = 0; count < VARINT_BYTES_MAX; count += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new ProtobufError('unexpected EOF');
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << BigInt(7 * count);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError('a number has too many bytes');
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new ProtobufError('unexpected EOF');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
