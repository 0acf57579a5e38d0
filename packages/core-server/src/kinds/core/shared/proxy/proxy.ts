/** The `proxy` subresource of pods, services and nodes: forwards requests below it to what runs there. */
import { forwardResponse } from '@tributary/proxy';
import type {
  ApiRequest,
  ApiResponse,
  ConnectInput,
  ConnectRequest,
  MissingRequest,
} from '@tributary/server';
import { forward } from './forward.ts';
import type { Location } from './location.ts';
import { redirectLocation } from './redirect-location.ts';
import { parseSchemeNamePort, type SchemeNamePort } from './scheme-name-port.ts';

export type ProxyAddress = Omit<Location, 'target'>;

export interface ProxyInput<Object> {
  /** The kind in errors, such as `pod`. */
  readonly of: string;
  readonly kind: string;
  /** The address; throws an error for the client. */
  readonly locate: (
    asked: SchemeNamePort,
    connection: ConnectRequest<Object>,
  ) => Promise<ProxyAddress>;
  /** The same for an object that does not exist. Default: NotFound. */
  readonly locateMissing?: (
    asked: SchemeNamePort,
    connection: MissingRequest,
  ) => Promise<ProxyAddress>;
}

export function proxyConnection<Object>(input: ProxyInput<Object>): ConnectInput<Object> {
  const { of, kind, locate, locateMissing } = input;
  const asked = (request: ApiRequest) => parseSchemeNamePort(request.info.name, of);
  return {
    kind: { group: '', version: 'v1', kind },
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    subpath: true,
    objectName: (name) => parseSchemeNamePort(name, of).name,
    connect: async (connection) => {
      const { request } = connection;
      return forwardBelow(request, await locate(asked(request), connection));
    },
    ...(locateMissing && {
      connectMissing: async (connection) => {
        const { request } = connection;
        return forwardBelow(request, await locateMissing(asked(request), connection));
      },
    }),
  };
}

/** A path that ends at the proxy lacks the slash that relative links need. */
function forwardBelow(
  request: ApiRequest,
  place: ProxyAddress,
): Promise<ApiResponse> | ApiResponse {
  const below = pathBelow(request.path);
  const query = queryOf(request);
  const isUpgrade = request.headers.get('upgrade') !== undefined;
  if (below === '' && !isUpgrade) {
    const headers = [['location', `${request.path}/${query}`]] as const;
    return { kind: 'proxied', code: 301, headers, chunks: nothing() };
  }
  const location = { ...place, target: `${below || '/'}${query}` };
  return forward(request, location, {
    respond: (response) => {
      const headers = response.headers.map(([name, value]): [string, string] => [
        name,
        name === 'location' ? redirectLocation(value, { request, location }) : value,
      ]);
      return forwardResponse(request, { ...response, headers });
    },
  });
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The path behind `…/NAME/proxy`, as it was sent. */
function pathBelow(path: string): string {
  return /^\/api\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy(.*)$/.exec(path)?.[1] ?? '';
}

function queryOf({ target = '' }: ApiRequest): string {
  const at = target.indexOf('?');
  return at === -1 ? '' : target.slice(at);
}
