/** What of a request and of an answer goes on, and what ends here. */
import {
  connectionHeaderNames,
  isHopByHopHeader,
  isSingleValueHeader,
} from '@tributary/client/http';
import type { ApiRequest } from '@tributary/server';
import type { Location } from './location.ts';

type Lines = readonly (readonly [name: string, value: string])[];

/** Who a client is to this server is nobody else's business. */
const OF_THE_CLIENT = /^(?:authorization|x-remote-(?:user|uid|group|extra-.*)|impersonate-.*)$/;
const OURS = new Set([
  'host',
  'expect',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-uri',
]);
/** For pages of other origins this server answers, not the one behind it. */
const FOR_OTHER_ORIGINS = /^access-control-allow-(?:credentials|headers|methods|origin)$/;

export function requestLines(request: ApiRequest, isUpgrade: boolean): [string, string][] {
  const { headers, peer, path } = request;
  const named = connectionHeaderNames(headers.all('connection'));
  const lines = [...headers.lines()].filter(
    ([name]) =>
      !name.startsWith(':') &&
      !OURS.has(name) &&
      !OF_THE_CLIENT.test(name) &&
      (isUpgrade || !(isHopByHopHeader(name) || named.has(name))),
  );
  const host = headers.get('host') ?? headers.get(':authority') ?? '';
  const client = peer.address.replace(/^::ffff:(?=\d+\.)/, '');
  const before = headers.all('x-forwarded-for');
  return [
    ['host', host],
    ...lines,
    ['x-forwarded-for', [...before, ...(client ? [client] : [])].join(', ')],
    ...(isUpgrade
      ? []
      : ([
          ['x-forwarded-uri', path],
          ['x-forwarded-host', host],
          ['x-forwarded-proto', 'https'],
        ] as [string, string][])),
  ];
}

/** What the client hears of the answer; a place in the same server is told as it is reached from here. */
export function answerLines(
  rawHeaders: readonly string[],
  { request, location }: { readonly request: ApiRequest; readonly location: Location },
): [string, string][] {
  const pairs = pairsOf(rawHeaders);
  const connection = pairs.filter(([name]) => name === 'connection').map(([, value]) => value);
  const named = connectionHeaderNames(connection);
  const seen = new Set<string>();
  const isRepeated = (name: string) =>
    isSingleValueHeader(name) && (seen.has(name) || !seen.add(name));
  return pairs
    .filter(
      ([name]) =>
        !isHopByHopHeader(name) &&
        !named.has(name) &&
        !FOR_OTHER_ORIGINS.test(name) &&
        !isRepeated(name),
    )
    .map(([name, value]) => [
      name,
      name === 'location' ? movedLocation(value, { request, location }) : value,
    ]);
}

function pairsOf(raw: readonly string[]): Lines {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    pairs.push([(raw[at] ?? '').toLowerCase(), raw[at + 1] ?? '']);
  }
  return pairs;
}

/** Of a redirect; elsewhere, and from where it stands, it means what it says. */
export function movedLocation(
  value: string,
  {
    request,
    location,
  }: { readonly request: Pick<ApiRequest, 'path' | 'headers'>; readonly location: Location },
): string {
  const { headers, path } = request;
  const own = headers.get('host') ?? headers.get(':authority') ?? '';
  const absolute = /^(?:([a-z][a-z0-9+.-]*):)?\/\/([^/?#]*)(.*)$/i.exec(value);
  const host = absolute?.[2] ?? '';
  const rest = absolute ? (absolute[3] ?? '') : value;
  const back = `${location.address.includes(':') ? `[${location.address}]` : location.address}:${location.port}`;
  if (host !== '' && host !== back && host !== own) return value;
  if (!rest.startsWith('/')) return value;
  const prefix = prefixOf(path, location);
  const moved = rest.startsWith(prefix) ? rest : `${prefix}${rest}`;
  return own === '' ? moved : `https://${own}${moved}`;
}

/** The path to the proxy: what stands before what is asked of the server behind it. */
function prefixOf(path: string, { target }: Location): string {
  const [asked = ''] = target.split('?');
  return path.endsWith(asked) ? path.slice(0, path.length - asked.length) : path;
}
