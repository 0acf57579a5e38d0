/**
 * URLs as Go's net/url reads and writes them. Inside, texts are bytes in the characters of a string (latin1), because
 * escapes stand for bytes, which need not be text.
 */
import { goQuote } from '../values/go-quote.ts';
import { AddressError, parseAddress } from './address.ts';
import { escapeBytes, isValidEncoded, UrlError, unescapeBytes } from './url-escapes.ts';

export interface GoUrl {
  readonly scheme: string;
  readonly opaque: string;
  /** Undefined for none. */
  readonly user: { readonly name: string; readonly password: string | undefined } | undefined;
  readonly host: string;
  readonly path: string;
  /** The path as sent, where escaping `path` would differ from it. */
  readonly rawPath: string;
  readonly query: string;
  readonly forceQuery: boolean;
  readonly omitHost: boolean;
  readonly fragment: string;
  readonly rawFragment: string;
}

export function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export function toText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

const EMPTY: GoUrl = {
  scheme: '',
  opaque: '',
  user: undefined,
  host: '',
  path: '',
  rawPath: '',
  query: '',
  forceQuery: false,
  omitHost: false,
  fragment: '',
  rawFragment: '',
};

/** An absolute URL or path, as in a request, without a fragment; throws a UrlError. */
export function parseRequestUrl(text: string): GoUrl {
  return wrapped(text, () => parse(toBytes(text), true));
}

/** Any URL, with its fragment; throws a UrlError. */
export function parseUrl(text: string): GoUrl {
  const hash = text.indexOf('#');
  const before = hash < 0 ? text : text.slice(0, hash);
  const url = wrapped(before, () => parse(toBytes(before), false));
  const raw = hash < 0 ? '' : toBytes(text.slice(hash + 1));
  if (raw === '') return url;
  return wrapped(text, () => {
    const fragment = unescapeBytes(raw, 'fragment');
    const isDefault = escapeBytes(fragment, 'fragment') === raw;
    return { ...url, fragment, rawFragment: isDefault ? '' : raw };
  });
}

function wrapped(text: string, parseIt: () => GoUrl): GoUrl {
  try {
    return parseIt();
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    throw new UrlError(`parse ${goQuote(text)}: ${error.message}`);
  }
}

function parse(raw: string, viaRequest: boolean): GoUrl {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are refused.
  if (/[\x00-\x1f\x7f]/.test(raw)) {
    throw new UrlError('net/url: invalid control character in URL');
  }
  if (raw === '' && viaRequest) throw new UrlError('empty url');
  if (raw === '*') return { ...EMPTY, path: '*' };
  const scheme = schemeOf(raw);
  const { rest, query, forceQuery } = cutQuery(scheme === '' ? raw : raw.slice(scheme.length + 1));
  const url = { ...EMPTY, scheme: scheme.toLowerCase(), query, forceQuery };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...url, opaque: rest };
    if (viaRequest) throw new UrlError('invalid URI for request');
    if (rest.split('/', 1)[0]?.includes(':')) {
      throw new UrlError('first path segment in URL cannot contain colon');
    }
  }
  const mayHaveHost = scheme !== '' || (!viaRequest && !rest.startsWith('///'));
  if (mayHaveHost && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    const end = slash < 0 ? rest.length : slash;
    return withPath({ ...url, ...parseAuthority(url.scheme, rest.slice(2, end)) }, rest.slice(end));
  }
  return withPath({ ...url, omitHost: scheme !== '' && rest.startsWith('/') }, rest);
}

function schemeOf(raw: string): string {
  const found = /^([A-Za-z][A-Za-z0-9+.-]*)?:/.exec(raw);
  if (found === null) return '';
  if (found[1] === undefined) throw new UrlError('missing protocol scheme');
  return found[1];
}

function cutQuery(rest: string): { rest: string; query: string; forceQuery: boolean } {
  const at = rest.indexOf('?');
  if (at < 0) return { rest, query: '', forceQuery: false };
  if (at === rest.length - 1) return { rest: rest.slice(0, at), query: '', forceQuery: true };
  return { rest: rest.slice(0, at), query: rest.slice(at + 1), forceQuery: false };
}

function withPath(url: GoUrl, raw: string): GoUrl {
  const path = unescapeBytes(raw, 'path');
  const isDefault = escapeBytes(path, 'path') === raw;
  return { ...url, path, rawPath: isDefault ? '' : raw };
}

function parseAuthority(scheme: string, authority: string): Pick<GoUrl, 'user' | 'host'> {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { user: undefined, host };
  const info = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(info)) {
    throw new UrlError('net/url: invalid userinfo');
  }
  const colon = info.indexOf(':');
  const name = unescapeBytes(colon < 0 ? info : info.slice(0, colon), 'user');
  const password = colon < 0 ? undefined : unescapeBytes(info.slice(colon + 1), 'user');
  return { user: { name, password }, host };
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) throw new UrlError('invalid IP-literal');
  if (open === 0) return parseLiteral(host);
  const first = host.indexOf(':');
  if (first >= 0) {
    // Lists of hosts with ports are common, but not for these.
    const isStrict = scheme === 'http' || scheme === 'https';
    checkPort(host.slice(isStrict ? first : host.lastIndexOf(':')));
  }
  return unescapeBytes(host, 'host');
}

/** An address of version 6 in brackets. */
function parseLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) throw new UrlError("missing ']' in host");
  const port = host.slice(close + 1);
  checkPort(port);
  const unescapedPort = unescapeBytes(port, 'host');
  const inner = host.slice(1, close);
  const zone = inner.indexOf('%25');
  const name =
    zone < 0
      ? unescapeBytes(inner, 'host')
      : unescapeBytes(inner.slice(0, zone), 'host') + unescapeBytes(inner.slice(zone), 'zone');
  checkLiteral(toText(name));
  return `[${name}]${unescapedPort}`;
}

function checkLiteral(name: string): void {
  try {
    if (parseAddress(name).bytes.length === 4) throw new UrlError('invalid IP-literal');
  } catch (error) {
    if (error instanceof AddressError) throw new UrlError(`invalid host: ${error.message}`);
    throw error;
  }
}

function checkPort(port: string): void {
  if (isOptionalPort(port)) return;
  throw new UrlError(`invalid port ${goQuote(toText(port))} after host`);
}

function isOptionalPort(port: string): boolean {
  return /^(?::[0-9]*)?$/.test(port);
}

export function hostname({ host }: GoUrl): string {
  const colon = host.lastIndexOf(':');
  const name = colon >= 0 && isOptionalPort(host.slice(colon)) ? host.slice(0, colon) : host;
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
}

export function port({ host }: GoUrl): string {
  const colon = host.lastIndexOf(':');
  return colon >= 0 && isOptionalPort(host.slice(colon)) ? host.slice(colon + 1) : '';
}

export function escapedPath({ path, rawPath }: GoUrl): string {
  if (rawPath !== '' && isValidEncoded(rawPath, 'path')) return rawPath;
  return path === '*' ? '*' : escapeBytes(path, 'path');
}

/** The whole URL again. */
export function formatUrl(url: GoUrl): string {
  const { scheme, opaque, query, forceQuery, fragment, rawFragment } = url;
  const head = scheme === '' ? '' : `${scheme}:`;
  const body = opaque === '' ? `${authorityOf(url)}${pathOf(url)}` : opaque;
  const asked = forceQuery || query !== '' ? `?${query}` : '';
  const isRaw = rawFragment !== '' && isValidEncoded(rawFragment, 'fragment');
  const end = fragment === '' ? '' : `#${isRaw ? rawFragment : escapeBytes(fragment, 'fragment')}`;
  return `${head}${body}${asked}${end}`;
}

function authorityOf({ scheme, host, user, path, omitHost }: GoUrl): string {
  if (scheme === '' && host === '' && user === undefined) return '';
  if (omitHost && host === '' && user === undefined) return '';
  const slashes = host !== '' || path !== '' || user !== undefined ? '//' : '';
  return `${slashes}${user === undefined ? '' : `${formatUserinfo(user)}@`}${escapeBytes(host, 'host')}`;
}

/** `name:password`, escaped. */
export function formatUserinfo({ name, password }: NonNullable<GoUrl['user']>): string {
  const escaped = escapeBytes(name, 'user');
  return password === undefined ? escaped : `${escaped}:${escapeBytes(password, 'user')}`;
}

function pathOf(url: GoUrl): string {
  const path = escapedPath(url);
  if (path !== '' && !path.startsWith('/') && url.host !== '') return `/${path}`;
  const isFirst = url.scheme === '' && url.host === '' && url.user === undefined;
  // It would be taken for a scheme.
  return isFirst && path.split('/', 1)[0]?.includes(':') ? `./${path}` : path;
}

const PARAMETERS_MAX = 10_000;

/** The values of every parameter; what cannot be read is left out. */
export function queryOf({ query }: GoUrl): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const parts = query.split('&');
  if (parts.length > PARAMETERS_MAX) return found;
  for (const part of parts) {
    if (part === '' || part.includes(';')) continue;
    const equals = part.indexOf('=');
    const name = readable(equals < 0 ? part : part.slice(0, equals));
    const value = readable(equals < 0 ? '' : part.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const values = found.get(name);
    if (values === undefined) found.set(name, [value]);
    else values.push(value);
  }
  return found;
}

function readable(part: string): string | undefined {
  try {
    return toText(unescapeBytes(part, 'query'));
  } catch (error) {
    if (error instanceof UrlError) return undefined;
    throw error;
  }
}
