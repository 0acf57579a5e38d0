/** How the reference server reads query parameters: the first value of a parameter wins, unknown ones are ignored. */
import { badRequest } from '../errors/errors.ts';
import { parseGoDuration } from '../values/go-duration.ts';
import { parseGoInt64 } from '../values/go-integer.ts';

/**
 * The parameters of a URL's query part as Go reads them: a pair with a semicolon or a broken
 * percent escape is dropped, where `URLSearchParams` alone would keep it as it is.
 */
export function parseQuery(query: string): URLSearchParams {
  const values = new URLSearchParams();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';') || /%(?![0-9A-Fa-f]{2})/.test(pair)) continue;
    // A question mark at the start would be taken for the start of the query; behind an ampersand it is data.
    for (const [name, value] of new URLSearchParams(`&${pair}`)) values.append(name, value);
  }
  return values;
}

/** The first value, or the empty string. */
export function stringParameter(query: URLSearchParams, name: string): string {
  return query.get(name) ?? '';
}

/** Absent is undefined; `0` and `false` in any case are false; everything else, also the empty string, is true. */
export function booleanParameter(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  return value !== '0' && value.toLowerCase() !== 'false';
}

/** A 64-bit integer; the 400 for other texts is that of Go's `strconv`. Beyond 2^53 it is rounded. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  const parsed = parseGoInt64(value);
  if (!parsed.ok) throw badRequest(parsed.message);
  return Number(parsed.value);
}

/** The `timeout` of a request that is no watch, in milliseconds; undefined when the client sets none. */
export function timeoutParameterMs(query: URLSearchParams): number | undefined {
  const value = stringParameter(query, 'timeout');
  if (value === '') return undefined;
  const parsed = parseGoDuration(value);
  if (!parsed.ok) {
    throw badRequest(`invalid timeout specified in the request URL - ${parsed.message}`);
  }
  return parsed.milliseconds;
}
