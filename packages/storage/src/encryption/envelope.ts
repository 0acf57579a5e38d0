import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

/**
 * How an encrypted value looks in the store, byte for byte as kube-apiserver writes it:
 *
 *     k8s:enc:aesgcm:v1:<key name>:  nonce (12 bytes)  ciphertext  tag (16 bytes)
 *
 * The storage key is authenticated with the value, so that a value copied to another key does not
 * open. Everything that does not begin with `k8s:enc:` is plain.
 */
const RESERVED = Buffer.from('k8s:enc:');
const AESGCM = Buffer.from('k8s:enc:aesgcm:v1:');
const COLON = 0x3a;

export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Names that can precede a colon in a value, and fit in one line of a log. */
const KEY_NAME = /^[^:\p{C}]{1,253}$/u;

export function isKeyName(name: string): boolean {
  return KEY_NAME.test(name);
}

/** Begins like an encrypted value, so that as a plain one it would be ambiguous. */
export function isReserved(value: Uint8Array): boolean {
  return value[0] === RESERVED[0] && startsWith(value, RESERVED);
}

/** The form of a value according to its first bytes. */
export type Origin =
  | { readonly kind: 'plain' }
  | { readonly kind: 'key'; readonly name: string }
  /** A provider of another kind or version, `aescbc:v1`. */
  | { readonly kind: 'foreign'; readonly provider: string }
  | { readonly kind: 'damaged' };

/** For messages about values that no configured key has written. */
export function originOf(value: Uint8Array): Origin {
  if (!isReserved(value)) return { kind: 'plain' };
  const provider = wordsAt(value, RESERVED.byteLength, 2);
  if (provider === undefined) return { kind: 'damaged' };
  if (provider !== 'aesgcm:v1') return { kind: 'foreign', provider };
  const name = wordsAt(value, AESGCM.byteLength, 1);
  return name === undefined ? { kind: 'damaged' } : { kind: 'key', name };
}

/** The first bytes of every value that this key writes. No key's head is a prefix of another's. */
export function envelopeHead(keyName: string): Uint8Array {
  return Buffer.concat([AESGCM, Buffer.from(`${keyName}:`)]);
}

/** The bytes that encryption adds to a value. */
export function envelopeBytes(head: Uint8Array): number {
  return head.byteLength + NONCE_BYTES + TAG_BYTES;
}

export interface Sealing {
  readonly secret: KeyObject;
  readonly head: Uint8Array;
  /** Never twice with one secret: two values under one nonce disclose both. */
  readonly nonce: Uint8Array;
  readonly storageKey: string;
}

export function seal(value: Uint8Array, { secret, head, nonce, storageKey }: Sealing): Uint8Array {
  const cipher = createCipheriv(algorithmOf(secret), secret, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(storageKey));
  // Memory of its own, not a part of a shared pool: engines transfer values to other threads.
  const sealed = new Uint8Array(value.byteLength + envelopeBytes(head));
  sealed.set(head);
  sealed.set(nonce, head.byteLength);
  sealed.set(cipher.update(value), head.byteLength + NONCE_BYTES);
  // In this mode the ciphertext is as long as the value: the end adds only the tag.
  cipher.final();
  sealed.set(cipher.getAuthTag(), sealed.byteLength - TAG_BYTES);
  return sealed;
}

/** Decrypts a value with this head; undefined when it was not encrypted for this storage key. */
export function open(
  sealed: Uint8Array,
  { secret, head, storageKey }: Omit<Sealing, 'nonce'>,
): Uint8Array | undefined {
  const start = head.byteLength + NONCE_BYTES;
  const end = sealed.byteLength - TAG_BYTES;
  if (end < start) return undefined;
  const nonce = sealed.subarray(head.byteLength, start);
  const decipher = createDecipheriv(algorithmOf(secret), secret, nonce, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(storageKey));
  decipher.setAuthTag(sealed.subarray(end));
  const value = decipher.update(sealed.subarray(start, end));
  try {
    decipher.final();
  } catch {
    // The only possible failure is the tag's, which has no reason.
    return undefined;
  }
  return value;
}

/** The lengths of AES secrets. */
export const SECRET_BYTES: readonly number[] = [16, 24, 32];

function algorithmOf({
  symmetricKeySize,
}: KeyObject): 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm' {
  switch (symmetricKeySize) {
    case 16:
      return 'aes-128-gcm';
    case 24:
      return 'aes-192-gcm';
    case 32:
      return 'aes-256-gcm';
    default:
      throw new TypeError(`AES has no keys of ${symmetricKeySize} bytes`);
  }
}

export function startsWith(value: Uint8Array, head: Uint8Array): boolean {
  if (value.byteLength < head.byteLength) return false;
  for (let at = 0; at < head.byteLength; at += 1) if (value[at] !== head[at]) return false;
  return true;
}

/** As many names, each with a colon at its end, if these bytes are names. */
function wordsAt(value: Uint8Array, start: number, count: number): string | undefined {
  let end = start - 1;
  for (let word = 0; word < count; word += 1) end = value.indexOf(COLON, end + 1);
  if (end < start) return undefined;
  const text = Buffer.from(value.buffer, value.byteOffset + start, end - start).toString();
  const words = text.split(':');
  return words.length === count && words.every(isKeyName) ? text : undefined;
}
