import type { ApiRequest } from '@tributary/server';
import { hostOfRequest } from './forward.ts';
import { hostOf, type Location } from './location.ts';

/** The `Location` of a redirect within the backend, as a client reaches it through the proxy; others stay as they are. */
export function redirectLocation(
  value: string,
  {
    request,
    location,
  }: { readonly request: Pick<ApiRequest, 'path' | 'headers'>; readonly location: Location },
): string {
  const { path } = request;
  const own = hostOfRequest(request);
  const absolute = /^(?:([a-z][a-z0-9+.-]*):)?\/\/([^/?#]*)(.*)$/i.exec(value);
  const host = absolute?.[2] ?? '';
  const rest = absolute ? (absolute[3] ?? '') : value;
  const back = hostOf(location);
  if (host !== '' && host !== back && host !== own) return value;
  if (!rest.startsWith('/')) return value;
  const prefix = prefixOf(path, location);
  const moved = rest.startsWith(prefix) ? rest : `${prefix}${rest}`;
  return own === '' ? moved : `https://${own}${moved}`;
}

/** The path of the proxy subresource: that of the request without the path of the backend. */
function prefixOf(path: string, { target }: Location): string {
  const [forwarded = ''] = target.split('?');
  return path.endsWith(forwarded) ? path.slice(0, path.length - forwarded.length) : path;
}
