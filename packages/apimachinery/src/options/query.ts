/** Query parameters as kube-apiserver decodes them: the first value of a parameter wins, unknown ones are ignored. */
import { badRequest } from '../errors/errors.ts';
import { parseGoDuration } from '../values/go-duration.ts';
import { parseGoInt64 } from '../values/go-integer.ts';

/**
 * Parses the query of a URL as Go's `url.ParseQuery`: drops pairs with a semicolon or an invalid percent escape,
 * which `URLSearchParams` alone would accept.
 */
export function parseQuery(query: string): URLSearchParams {
  const values = new URLSearchParams();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';') || /%(?![0-9A-Fa-f]{2})/.test(pair)) continue;
    // `URLSearchParams` drops a leading question mark, but not after an ampersand.
    for (const [name, value] of new URLSearchParams(`&${pair}`)) values.append(name, value);
  }
  return values;
}

/** The first value; the empty string when absent. */
export function stringParameter(query: URLSearchParams, name: string): string {
  return query.get(name) ?? '';
}

/** `0` and `false` in upper or lower case are false, all other values true, even the empty one; undefined when absent. */
export function booleanParameter(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  return value !== '0' && value.toLowerCase() !== 'false';
}

/** An int64, rounded beyond 2^53. Throws a 400 with the message of Go's `strconv` for other values. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  const parsed = parseGoInt64(value);
  if (!parsed.ok) throw badRequest(parsed.message);
  return Number(parsed.value);
}

/** The `timeout` parameter of requests other than watches, in milliseconds; undefined when absent. */
export function timeoutParameterMs(query: URLSearchParams): number | undefined {
  const value = stringParameter(query, 'timeout');
  if (value === '') return undefined;
  const parsed = parseGoDuration(value);
  if (!parsed.ok) {
    throw badRequest(`invalid timeout specified in the request URL - ${parsed.message}`);
  }
  return parsed.milliseconds;
}
