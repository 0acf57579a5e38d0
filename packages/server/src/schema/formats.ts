/** String formats that upstream validates; it ignores all others. */
import { parseGoDuration } from '@tributary/apimachinery';
import {
  isCidr,
  isEmail,
  isHostname,
  isIpv4,
  isIpv6,
  isMac,
  isRequestUri,
} from './formats-network.ts';
import { isCreditCard, isIsbn10, isIsbn13 } from './formats-numbers.ts';
import type { SchemaTypeName } from './schema-node.ts';

/** Returns an empty string for a format of another type, which is not validated. */
export function enforcedFormat(types: readonly SchemaTypeName[], format: string): string {
  const type = types.length === 1 ? types[0] : undefined;
  switch (type) {
    case undefined:
    case 'string':
      return checks.has(normalised(format)) ? format : '';
    case 'integer':
      return format === 'int32' || format === 'int64' ? format : '';
    case 'number':
      return format === 'float' || format === 'double' ? format : '';
    default:
      return '';
  }
}

export function hasFormat(format: string, text: string): boolean {
  return checks.get(normalised(format))?.(text) ?? true;
}

/** `date-time` and `datetime` are one. */
function normalised(format: string): string {
  return format.replaceAll('-', '');
}

const checks: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['byte', isBase64],
  ['bsonobjectid', (text) => /^[0-9a-fA-F]{24}$/.test(text)],
  ['cidr', isCidr],
  ['creditcard', isCreditCard],
  ['date', isDate],
  ['datetime', isDateTime],
  ['duration', isDuration],
  ['email', isEmail],
  ['hexcolor', (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text)],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['k8slongname', (text) => text.length <= 253 && LONG_NAME.test(text)],
  ['k8sshortname', (text) => text.length <= 63 && SHORT_NAME.test(text)],
  ['mac', isMac],
  ['password', () => true],
  ['rgbcolor', (text) => RGB_COLOR.test(text)],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['uri', isRequestUri],
  ['uuid', (text) => /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(text)],
  ['uuid3', uuidOf('3[0-9a-f]{3}', '[0-9a-f]{4}')],
  ['uuid4', uuidOf('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}')],
  ['uuid5', uuidOf('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}')],
]);

const SHORT_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LONG_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const CHANNEL = '[ \\t\\n\\f\\r]*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])[ \\t\\n\\f\\r]*';
const RGB_COLOR = new RegExp(`^rgb\\(${CHANNEL},${CHANNEL},${CHANNEL}\\)$`);

function uuidOf(third: string, fourth: string): (text: string) => boolean {
  const pattern = new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i');
  return (text) => pattern.test(text);
}

/**
 * Standard alphabet, padded, not empty. Searches for an invalid character: matching megabytes would need a deep stack.
 */
function isBase64(text: string): boolean {
  if (text === '' || text.length % 4 !== 0) return false;
  return !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''));
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined || Number(month) < 1 || Number(month) > 12) return false;
  return Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month));
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return leap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** As upstream, text after a second `t` is ignored, and any character may precede a fraction. */
function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t', 2);
  if (time === undefined || !isDate(date)) return false;
  const [, hour = '', minute = '', second = ''] = TIME.exec(time) ?? [];
  return hour !== '' && hour <= '23' && minute <= '59' && second <= '59';
}

const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u;

/** Longer than any duration; the second form would take quadratic time on a long text. */
const DURATION_CHARACTERS_MAX = 256;

/** Go's durations, and words with units anywhere in a text: `2 days`. */
function isDuration(text: string): boolean {
  if (text.length > DURATION_CHARACTERS_MAX) return false;
  if (parseGoDuration(text).ok) return true;
  let found = false;
  for (const [, count = '', unit = ''] of text.matchAll(/(\d+)[ \t\n\f\r]*([A-Za-z\u00b5]+)/g)) {
    if (BigInt(count) >= 2n ** 63n) return false;
    found ||= isUnit(unit.toLowerCase());
  }
  return found;
}

const UNITS = ['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk'];
const UNIT_WORDS = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];

function isUnit(unit: string): boolean {
  return UNITS.includes(unit) || UNIT_WORDS.some((word) => unit.startsWith(word));
}
