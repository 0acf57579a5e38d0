import { type Address, AddressError } from './address.ts';

/** Four numbers of the part of a text that ends it. */
export function parseVersion4(text: string, part: string): number[] {
  const fields: number[] = [];
  let value = 0;
  let digits = 0;
  for (let at = 0; at < part.length; at++) {
    const letter = part[at] ?? '';
    if (letter >= '0' && letter <= '9') {
      if (digits === 1 && value === 0) {
        throw new AddressError(text, 'IPv4 field has octet with leading zero');
      }
      value = value * 10 + Number(letter);
      digits += 1;
      if (value > 255) throw new AddressError(text, 'IPv4 field has value >255');
    } else if (letter === '.') {
      if (at === 0 || at === part.length - 1 || part[at - 1] === '.') {
        throw new AddressError(text, 'IPv4 field must have at least one digit', part.slice(at));
      }
      if (fields.length === 3) throw new AddressError(text, 'IPv4 address too long');
      fields.push(value);
      value = 0;
      digits = 0;
    } else {
      throw new AddressError(text, 'unexpected character', part.slice(at));
    }
  }
  if (fields.length < 3) throw new AddressError(text, 'IPv4 address too short');
  return [...fields, value];
}

export function parseVersion6(text: string): Address {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') throw new AddressError(text, 'zone must be a non-empty string');
  const { bytes, ellipsis } = parseGroups(text, percent < 0 ? text : text.slice(0, percent));
  if (bytes.length < 16 && ellipsis < 0) throw new AddressError(text, 'address string too short');
  if (bytes.length === 16 && ellipsis >= 0) {
    throw new AddressError(text, 'the :: must expand to at least one field of zeros');
  }
  const zeros = new Array<number>(16 - bytes.length).fill(0);
  const cut = Math.max(0, ellipsis);
  return { bytes: [...bytes.slice(0, cut), ...zeros, ...bytes.slice(cut)], zone };
}

interface Groups {
  readonly bytes: readonly number[];
  /** Before which byte `::` stands; -1 when it does not. */
  readonly ellipsis: number;
}

function parseGroups(text: string, address: string): Groups {
  const bytes: number[] = [];
  let ellipsis = address.startsWith('::') ? 0 : -1;
  let rest = ellipsis === 0 ? address.slice(2) : address;
  if (ellipsis === 0 && rest === '') return { bytes, ellipsis };
  while (bytes.length < 16) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    checkGroup(text, rest, digits);
    if (rest[digits.length] === '.') {
      checkEmbedded(text, rest, { count: bytes.length, ellipsis });
      bytes.push(...parseVersion4(text, rest));
      return { bytes, ellipsis };
    }
    const group = Number.parseInt(digits, 16);
    bytes.push(group >> 8, group & 0xff);
    rest = rest.slice(digits.length);
    if (rest === '') break;
    rest = afterColon(text, rest);
    if (rest.startsWith(':')) {
      if (ellipsis >= 0) throw new AddressError(text, 'multiple :: in address', rest);
      ellipsis = bytes.length;
      rest = rest.slice(1);
      if (rest === '') break;
    }
  }
  if (rest !== '') throw new AddressError(text, 'trailing garbage after address', rest);
  return { bytes, ellipsis };
}

function checkGroup(text: string, rest: string, digits: string): void {
  if (digits.length > 4) {
    throw new AddressError(text, 'each group must have 4 or less digits', rest);
  }
  if (digits === '') {
    const message = 'each colon-separated field must have at least one digit';
    throw new AddressError(text, message, rest);
  }
}

function checkEmbedded(
  text: string,
  rest: string,
  { count, ellipsis }: { readonly count: number; readonly ellipsis: number },
): void {
  if (ellipsis < 0 && count !== 12) {
    const message = 'embedded IPv4 address must replace the final 2 fields of the address';
    throw new AddressError(text, message, rest);
  }
  if (count + 4 > 16) {
    const message = 'too many hex fields to fit an embedded IPv4 at the end of the address';
    throw new AddressError(text, message, rest);
  }
}

function afterColon(text: string, rest: string): string {
  if (rest[0] !== ':') throw new AddressError(text, 'unexpected character, want colon', rest);
  if (rest.length === 1) {
    throw new AddressError(text, 'colon must be followed by more characters', rest);
  }
  return rest.slice(1);
}
