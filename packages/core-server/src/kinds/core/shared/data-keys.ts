import { type FieldError, type FieldPath, fieldError, regexError } from '@tributary/apimachinery';

/** The bound of all values of a ConfigMap or Secret together. */
export const dataBytesMax = 1024 * 1024;

const keyText = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
const keyFormat = '[-._a-zA-Z0-9]+';
const key = /^[-._a-zA-Z0-9]+$/;

/** Keys become file names. */
export function validateDataKey(path: FieldPath, name: string): FieldError[] {
  const details: string[] = [];
  if (Buffer.byteLength(name) > 253) details.push('must be no more than 253 characters');
  if (!key.test(name)) {
    details.push(regexError(keyText, keyFormat, ['key.name', 'KEY_NAME', 'key-name']));
  }
  if (name === '.' || name === '..') details.push(`must not be '${name}'`);
  else if (name.startsWith('..')) details.push("must not start with '..'");
  return details.map((detail) => fieldError.invalid(path.key(name), name, detail));
}

/** The decoded length, without decoding. */
export function decodedBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

export const immutableWhenSet = 'field is immutable when `immutable` is set';
