import { parseGoDuration } from '@tributary/apimachinery';
import { pathMatcher } from '../delegation/open-paths.ts';

/** An error of the user in the arguments, reported with a reference to --help. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/** Parses the value of a flag; throws a `FlagError` with the flag's name. */
export type FlagValue<T> = (text: string, name: string) => T;

export const text: FlagValue<string> = (value) => value;

/** A known flag of other servers that is not supported here: rejected instead of ignored. */
export function unsupported(missing: string): FlagValue<string> {
  return (value, name) => {
    if (value !== '') throw new FlagError(`--${name}: ${missing}`);
    return value;
  };
}

/** Comma-separated; the flag may be repeated. */
export const list: FlagValue<readonly string[]> = (value, name) => {
  if (value === '') return [];
  const items = value.split(',').map((item) => item.trim());
  if (items.includes('')) throw new FlagError(`--${name}: empty value in "${name}"`);
  return items;
};

/** Paths, or prefixes with a trailing `*`. */
export const pathPatterns: FlagValue<readonly string[]> = (value, name) => {
  const paths = list(value, name);
  try {
    pathMatcher(paths);
  } catch (error) {
    throw new FlagError(`--${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return paths;
};

/** Header names in lower case. */
export const headerNames: FlagValue<readonly string[]> = (value, name) =>
  list(value, name).map((item) => item.toLowerCase());

export const flag: FlagValue<boolean> = (value, name) => {
  if (/^(1|t|true)$/i.test(value)) return true;
  if (/^(0|f|false)$/i.test(value)) return false;
  throw new FlagError(`--${name} ${value}: must be true or false`);
};

export const count: FlagValue<number> = (value, name) => {
  if (/^-[0-9]+$/.test(value)) {
    throw new FlagError(`--${name} ${value} can't be a negative number`);
  }
  if (!/^[0-9]{1,9}$/.test(value))
    throw new FlagError(`--${name} ${value}: must be a non-negative integer`);
  return Number(value);
};

/** In milliseconds. */
export const duration: FlagValue<number> = (value, name) => {
  const parsed = parseGoDuration(value);
  if (!parsed.ok) throw new FlagError(`--${name} ${value}: ${parsed.message}`);
  if (parsed.milliseconds < 0) {
    throw new FlagError(`--${name} ${value} can't be a negative duration`);
  }
  return parsed.milliseconds;
};

export function oneOf<const T extends string>(choices: readonly T[]): FlagValue<T> {
  return (value, name) => {
    const choice = choices.find((one) => one === value);
    if (choice === undefined)
      throw new FlagError(`--${name} ${value}: must be ${choices.join(' or ')}`);
    return choice;
  };
}

export const port: FlagValue<number> = (value, name) => {
  const number = Number(value);
  if (!/^[0-9]+$/.test(value) || number > 65_535) {
    throw new FlagError(`--${name} ${value}: must be a port number from 0 to 65535`);
  }
  return number;
};

const UNITS: Readonly<Record<string, number>> = { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

/** Bytes; undefined for an empty value. */
export const size: FlagValue<number | undefined> = (value, name) => {
  if (value === '') return undefined;
  const [, digits, unit = ''] = /^([1-9][0-9]{0,12})(Ki|Mi|Gi)?$/.exec(value) ?? [];
  if (digits === undefined) {
    throw new FlagError(
      `--${name} ${value}: must be a number of bytes, optionally with Ki, Mi or Gi`,
    );
  }
  return Number(digits) * (UNITS[unit] ?? 1);
};

const GOAWAY_CHANCE_MAX = 0.02;

export const goawayChance: FlagValue<number> = (value, name) => {
  const chance = Number(value);
  if (value.trim() === '' || !(chance >= 0 && chance <= GOAWAY_CHANCE_MAX)) {
    throw new FlagError(`--${name} can not be less than 0 or greater than ${GOAWAY_CHANCE_MAX}`);
  }
  return chance;
};

/** As upstream, a pattern must be anchored at one end of the host, because it would match more than intended. */
export const originPatterns: FlagValue<readonly RegExp[]> = (value, name) =>
  list(value, name).map((pattern) => {
    const invalid = (why: string) =>
      new FlagError(`--${name} has an invalid regular expression: ${pattern}: ${why}`);
    if (!/\^|\/\//.test(pattern) || !/[$:]/.test(pattern)) {
      throw invalid('does not pin to start/end of host in the origin header');
    }
    try {
      return new RegExp(pattern);
    } catch (error) {
      throw invalid(error instanceof Error ? error.message : String(error));
    }
  });

export const hstsDirectives: FlagValue<readonly string[]> = (value, name) => {
  const directives = list(value, name);
  const isKnown = (one: string) => /^(includeSubDomains|preload|max-age=[0-9]+)$/.test(one);
  if (directives.every(isKnown)) return directives;
  throw new FlagError(
    `--${name} invalid, allowed values: max-age=expireTime, includeSubDomains, preload`,
  );
};
