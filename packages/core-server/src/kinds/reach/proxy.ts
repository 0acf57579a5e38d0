/** The `proxy` subresource of pods, services and nodes: requests below it go on to what runs there. */
import type { ApiRequest, ApiResponse, ConnectInput, ConnectRequest } from '@tributary/server';
import { type ForwardOptions, forward } from './forward.ts';
import type { Location } from './location.ts';
import { parseSchemeNamePort, type SchemeNamePort } from './scheme-name-port.ts';

export type Place = Omit<Location, 'target'>;

export interface ProxyInput<Object> {
  /** What is asked for, in words, such as `pod`. */
  readonly of: string;
  readonly kind: string;
  /** Where it is; throws a refusal. */
  readonly locate: (asked: SchemeNamePort, connection: ConnectRequest<Object>) => Promise<Place>;
}

export function proxyConnection<Object>(input: ProxyInput<Object>): ConnectInput<Object> {
  const { of, kind, locate } = input;
  return {
    kind: { group: '', version: 'v1', kind },
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    subpath: true,
    objectName: (name) => parseSchemeNamePort(name, of).name,
    connect: async (connection) => {
      const { request } = connection;
      const place = await locate(parseSchemeNamePort(request.info.name, of), connection);
      return passOn(request, place);
    },
  };
}

/** A path that ends at the proxy lacks the slash that relative links need. */
export function passOn(
  request: ApiRequest,
  place: Place,
  options?: ForwardOptions,
): Promise<ApiResponse> | ApiResponse {
  const below = pathBelow(request.path);
  const query = queryOf(request);
  const isUpgrade = request.headers.get('upgrade') !== undefined;
  if (below === '' && !isUpgrade) {
    const headers = [['location', `${request.path}/${query}`]] as const;
    return { kind: 'passed-on', code: 301, headers, chunks: nothing() };
  }
  return forward(request, { ...place, target: `${below || '/'}${query}` }, options);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** What follows `…/NAME/proxy`, as it was sent. */
function pathBelow(path: string): string {
  return /^\/api\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy(.*)$/.exec(path)?.[1] ?? '';
}

function queryOf({ target = '' }: ApiRequest): string {
  const at = target.indexOf('?');
  return at === -1 ? '' : target.slice(at);
}
