import { badRequest, goQuote } from '@tributary/apimachinery';

/** The name in the path of a proxy: `name`, `name:port` or `scheme:name:port`. */
export interface SchemeNamePort {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  /** A number or a name; empty when it is absent. */
  readonly port: string;
}

/** 400 for anything else; `of` is the kind. */
export function parseSchemeNamePort(text: string, of: string): SchemeNamePort {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] = parts.length < 3 ? ['', ...parts] : parts;
  const isScheme = scheme === '' || scheme === 'http' || scheme === 'https';
  if (parts.length > 3 || name === '' || !isScheme) {
    throw badRequest(`invalid ${of} request ${goQuote(text)}`);
  }
  return { scheme: scheme || 'http', name, port };
}
