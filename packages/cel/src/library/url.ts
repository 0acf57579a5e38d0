/** Kubernetes' URLs. */

import {
  escapedPath,
  formatUrl,
  type GoUrl,
  hostname,
  parseRequestUrl,
  parseUrl,
  port,
  queryOf,
  toText,
  UrlError,
} from '@tributary/apimachinery/net';
import type { FunctionDeclaration, Library } from '../declarations/library.ts';
import { celError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { arrayList } from '../values/lists.ts';
import { EntryMap } from '../values/maps.ts';
import { BOOL, listOf, mapOf, objectType, STRING, type Type } from '../values/types.ts';
import type { OpaqueValue, Result, Value } from '../values/value.ts';
import { declare, global, member } from './declare.ts';

export const URL_TYPE: Type = objectType('kubernetes.URL');

export interface UrlValue extends OpaqueValue {
  readonly url: GoUrl;
}

/** Escapes are read and written one by one. */
const STEPS_PER_CHARACTER = 8;

export const URLS: Library = {
  name: 'kubernetes.urls',
  functions: [
    declare(
      'url',
      global('string_to_url', [STRING], URL_TYPE, ([text]) => toUrl(text as string)),
    ),
    declare(
      'isURL',
      global('is_url_string', [STRING], BOOL, ([text]) => urlProblem(text as string) === undefined),
    ),
    part('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
    part('getHost', 'url_get_host', ({ host }) => host),
    part('getHostname', 'url_get_hostname', hostname),
    part('getPort', 'url_get_port', port),
    declare(
      'getEscapedPath',
      member('url_get_escaped_path', [URL_TYPE], STRING, ([value], step) => {
        const url = of(value);
        step(STEPS_PER_CHARACTER * url.path.length);
        return toText(escapedPath(url));
      }),
    ),
    declare(
      'getQuery',
      member('url_get_query', [URL_TYPE], mapOf(STRING, listOf(STRING)), ([value], step) => {
        const url = of(value);
        step(STEPS_PER_CHARACTER * url.query.length);
        return query(url);
      }),
    ),
  ],
};

export function isUrl(value: Result | undefined): value is UrlValue {
  return typeof value === 'object' && value !== null && 'url' in value;
}

export function urlText({ url }: UrlValue): string {
  return toText(formatUrl(url));
}

/** Why a text is not an absolute URL or path. */
export function urlProblem(text: string): string | undefined {
  try {
    parseRequestUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof UrlError) return error.message;
    throw error;
  }
}

function toUrl(text: string): Result {
  const problem = urlProblem(text);
  if (problem !== undefined) return refused(problem);
  try {
    // Again, because only this way a fragment is one.
    return urlValue(parseUrl(text));
  } catch (error) {
    if (error instanceof UrlError) return refused(error.message);
    throw error;
  }
}

function refused(problem: string): Result {
  return celError(`URL parse error during conversion from string: ${problem}`);
}

function urlValue(url: GoUrl): UrlValue {
  return {
    kind: 'opaque',
    type: URL_TYPE,
    url,
    equalityCost: 1,
    equals: (other) => (isUrl(other) ? formatUrl(url) === formatUrl(other.url) : NO_SUCH_OVERLOAD),
  };
}

function of(value: Value | undefined): GoUrl {
  return (value as UrlValue).url;
}

function part(name: string, id: string, get: (url: GoUrl) => string): FunctionDeclaration {
  return declare(
    name,
    member(id, [URL_TYPE], STRING, ([value]) => toText(get(of(value)))),
  );
}

function query(url: GoUrl): Value {
  const map = new EntryMap();
  for (const [name, values] of queryOf(url)) map.set(name, arrayList(values));
  return map;
}
