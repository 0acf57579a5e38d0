/** Semantic versions as the Go library reads them, with its complaints. */
import { goQuote } from '@tributary/apimachinery';
import { compareStrings } from './comparison.ts';

export interface SemanticVersion {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: readonly (bigint | string)[];
  readonly build: readonly string[];
}

export class VersionError extends Error {
  override readonly name = 'VersionError';
}

const DIGITS = /^[0-9]*$/;
const ALPHANUMERIC = /^[0-9A-Za-z-]*$/;
const UINT_MAX = 2n ** 64n - 1n;

/** Throws a VersionError. */
export function parseVersion(text: string): SemanticVersion {
  if (text === '') throw new VersionError('Version string empty');
  const [first, second, ...others] = text.split('.');
  if (first === undefined || second === undefined || others.length === 0) {
    throw new VersionError('No Major.Minor.Patch elements found');
  }
  const major = numberOf(first, 'major');
  const minor = numberOf(second, 'minor');
  const [numbers, build] = cut(others.join('.'), '+');
  const [patchText, prerelease] = cut(numbers, '-');
  const patch = numberOf(patchText, 'patch');
  return {
    major,
    minor,
    patch,
    prerelease: prerelease?.split('.').map(prereleasePart) ?? [],
    build: build?.split('.').map(buildPart) ?? [],
  };
}

/** Without a leading `v` and leading zeros, and with the numbers that are missing. */
export function normalizedVersion(text: string): string {
  const [first = '', second, ...others] = text.replace(/^v/, '').split('.');
  const third = others.length === 0 ? undefined : others.join('.');
  const parts = [first, second, third].filter((part) => part !== undefined).map(withoutZeros);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    throw new VersionError('short version cannot contain PreRelease/Build meta data');
  }
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
}

/** Negative, zero or positive as -1, 0, 1; what is built does not count. */
export function compareVersions(one: SemanticVersion, other: SemanticVersion): number {
  return (
    order(one.major, other.major) ||
    order(one.minor, other.minor) ||
    order(one.patch, other.patch) ||
    comparePrereleases(one.prerelease, other.prerelease)
  );
}

export function formatVersion(version: SemanticVersion): string {
  const { major, minor, patch, prerelease, build } = version;
  const before = prerelease.length === 0 ? '' : `-${prerelease.join('.')}`;
  const after = build.length === 0 ? '' : `+${build.join('.')}`;
  return `${major}.${minor}.${patch}${before}${after}`;
}

function withoutZeros(part: string): string {
  if (part.length <= 1) return part;
  const trimmed = part.replace(/^0+/, '');
  return /^[0-9]/.test(trimmed) ? trimmed : `0${trimmed}`;
}

function cut(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function numberOf(text: string, name: 'major' | 'minor' | 'patch'): bigint {
  if (!DIGITS.test(text)) {
    throw new VersionError(`Invalid character(s) found in ${name} number ${goQuote(text)}`);
  }
  if (hasLeadingZeros(text)) {
    const capital = `${name[0]?.toUpperCase()}${name.slice(1)}`;
    throw new VersionError(`${capital} number must not contain leading zeroes ${goQuote(text)}`);
  }
  return unsigned(text);
}

function prereleasePart(text: string): bigint | string {
  if (text === '') throw new VersionError('Prerelease is empty');
  if (DIGITS.test(text)) {
    if (!hasLeadingZeros(text)) return unsigned(text);
    const what = 'Numeric PreRelease version must not contain leading zeroes';
    throw new VersionError(`${what} ${goQuote(text)}`);
  }
  if (ALPHANUMERIC.test(text)) return text;
  throw new VersionError(`Invalid character(s) found in prerelease ${goQuote(text)}`);
}

function buildPart(text: string): string {
  if (text === '') throw new VersionError('Build meta data is empty');
  if (ALPHANUMERIC.test(text)) return text;
  throw new VersionError(`Invalid character(s) found in build meta data ${goQuote(text)}`);
}

function hasLeadingZeros(text: string): boolean {
  return text.length > 1 && text.startsWith('0');
}

function unsigned(text: string): bigint {
  const failure = (why: string) =>
    new VersionError(`strconv.ParseUint: parsing ${goQuote(text)}: ${why}`);
  if (text === '') throw failure('invalid syntax');
  const value = text.length > 20 ? UINT_MAX + 1n : BigInt(text);
  if (value > UINT_MAX) throw failure('value out of range');
  return value;
}

function order(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

type Prerelease = SemanticVersion['prerelease'];

/** A release comes behind its prereleases, and of two that begin alike the longer one behind. */
function comparePrereleases(one: Prerelease, other: Prerelease): number {
  if (one.length === 0 || other.length === 0) return Math.sign(other.length - one.length);
  for (const [index, part] of one.entries()) {
    const counterpart = other[index];
    if (counterpart === undefined) break;
    const compared = comparePart(part, counterpart);
    if (compared !== 0) return compared;
  }
  return Math.sign(one.length - other.length);
}

/** Numbers come before words. */
function comparePart(one: bigint | string, other: bigint | string): number {
  if (typeof one === 'bigint') return typeof other === 'bigint' ? order(one, other) : -1;
  return typeof other === 'bigint' ? 1 : Math.sign(compareStrings(one, other));
}
