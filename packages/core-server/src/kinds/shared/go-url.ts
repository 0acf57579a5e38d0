import { goQuote } from '@tributary/apimachinery';

/** The parts of a URL that validation uses. */
export interface GoUrl {
  readonly scheme: string;
  readonly host: string;
  /** Not decoded. */
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

/** Parses a URL like Go's net/url, which accepts other URLs than browsers, with its error messages. */
export function parseGoUrl(text: string): GoUrl | { readonly error: string } {
  try {
    return readUrl(text);
  } catch (error) {
    if (error instanceof UrlError) return { error: `parse ${goQuote(text)}: ${error.message}` };
    throw error;
  }
}

class UrlError extends Error {}

function readUrl(text: string): GoUrl {
  const [whole, fragment] = cut(text, '#');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\x00-\x1f\x7f]/.test(whole))
    throw new UrlError('net/url: invalid control character in URL');
  if (whole.startsWith(':')) throw new UrlError('missing protocol scheme');
  const written = /^[a-zA-Z][a-zA-Z0-9+.-]*(?=:)/.exec(whole)?.[0];
  const scheme = (written ?? '').toLowerCase();
  const [rest, query] = cut(written === undefined ? whole : whole.slice(written.length + 1), '?');
  const url = { scheme, host: '', user: undefined, query, fragment };
  if (!rest.startsWith('/')) {
    // Go checks this only without a scheme.
    if (scheme === '' && cut(rest, '/')[0].includes(':')) {
      throw new UrlError('first path segment in URL cannot contain colon');
    }
    if (scheme === '') checkEscapes(rest);
    checkEscapes(fragment);
    return url;
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'));
  const [authority] = hasAuthority ? cut(rest.slice(2), '/') : [''];
  const named = { ...url, ...(hasAuthority && readAuthority(authority)) };
  checkEscapes(hasAuthority ? rest.slice(2 + authority.length) : rest);
  checkEscapes(fragment);
  return named;
}

function readAuthority(authority: string): Pick<GoUrl, 'host' | 'user'> {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  checkHost(host);
  if (at === -1) return { host, user: undefined };
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) {
    throw new UrlError('net/url: invalid userinfo');
  }
  checkEscapes(user);
  return { host, user };
}

function checkHost(host: string): void {
  if (host.startsWith('[') && !host.includes(']')) throw new UrlError("missing ']' in host");
  const from = host.startsWith('[') ? host.lastIndexOf(']') + 1 : host.lastIndexOf(':');
  const port = from === -1 ? '' : host.slice(from);
  if (port !== '' && !/^:\d*$/.test(port)) {
    throw new UrlError(`invalid port ${goQuote(port)} after host`);
  }
  checkEscapes(host);
  const strange = /[^\w.~!$&'()*+,;=:[\]<>"%\u0080-\uffff-]/.exec(host)?.[0];
  if (strange !== undefined) {
    throw new UrlError(`invalid character ${goQuote(strange)} in host name`);
  }
}

function checkEscapes(text: string): void {
  const wrong = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text)?.[0];
  if (wrong !== undefined) throw new UrlError(`invalid URL escape ${goQuote(wrong)}`);
}

function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
