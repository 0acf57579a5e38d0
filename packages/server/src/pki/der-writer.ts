/** Writes the few forms of DER (X.690) that a certificate is made of. */

/** The universal tags that certificates use. */
const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

export function tagged(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(TAG.sequence, Buffer.concat(parts));
}

export function setOf(part: Uint8Array): Buffer {
  return tagged(TAG.set, part);
}

/** `[number]` around something, as in `[3] EXPLICIT`. */
export function explicit(number: number, content: Uint8Array): Buffer {
  return tagged(0xa0 | number, content);
}

/** `[number]` instead of the content's own tag. */
export function implicit(number: number, content: Uint8Array): Buffer {
  return tagged(0x80 | number, content);
}

export function boolean(value: boolean): Buffer {
  return tagged(TAG.boolean, Buffer.from([value ? 0xff : 0]));
}

/** A number that is not negative, most significant byte first. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
  // A first bit that is set would make it negative.
  const sign = (digits[0] ?? 0) > 0x7f ? Buffer.from([0]) : Buffer.alloc(0);
  return tagged(TAG.integer, Buffer.concat([sign, digits]));
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return tagged(TAG.bitString, Buffer.concat([Buffer.from([unusedBits]), bytes]));
}

export function octetString(bytes: Uint8Array): Buffer {
  return tagged(TAG.octetString, bytes);
}

export function nothing(): Buffer {
  return tagged(TAG.null, Buffer.alloc(0));
}

export function utf8String(text: string): Buffer {
  return tagged(TAG.utf8String, Buffer.from(text, 'utf8'));
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap(base128);
  return tagged(TAG.oid, Buffer.from(bytes));
}

/** RFC 5280, 4.1.2.5: two digits of the year until 2049, four from then on; whole seconds, in UTC. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? tagged(TAG.utcTime, Buffer.from(digits.slice(2)))
    : tagged(TAG.generalizedTime, Buffer.from(digits));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}
