/** Backends without pools, bounds or evidence: one TLS connection per request, to where the registration's URL says. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import {
  type Backend,
  BackendFailure,
  type BackendRequest,
  type BackendServer,
  type Backends,
} from '@tributary/proxy';

export function directBackends(): Backends {
  return {
    of: direct,
    forget() {},
    identityChanged() {},
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

function direct(server: BackendServer): Backend {
  return {
    server,
    send: async (sent) => {
      const response = await exchange(server, sent);
      const { rawHeaders, statusCode = 0 } = response;
      const headers: [string, string][] = [];
      for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
        headers.push([(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '']);
      }
      const target = { host: '127.0.0.1', port: 0, serverName: 'localhost' };
      return {
        status: statusCode,
        headers,
        body: response,
        target,
        cancel: () => response.destroy(),
      };
    },
    upgrade: () => Promise.reject(new Error('nothing is upgraded here')),
    dropIdle() {},
  };
}

async function exchange(
  { remote }: BackendServer,
  { method, path, headers, signal }: BackendRequest,
): Promise<IncomingMessage> {
  const { url, caBundle } = remote;
  if (url === undefined) throw new Error('only registrations with a URL');
  const outgoing = request({
    host: url.hostname,
    port: url.port,
    method,
    path,
    headers: Object.fromEntries(headers),
    ca: caBundle,
    agent: false,
    signal,
  });
  outgoing.end();
  try {
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return response;
  } catch (cause) {
    signal.throwIfAborted();
    const details = { hop: 'connect', maybeProcessed: false, cause } as const;
    throw new BackendFailure(`dial ${url.host}: ${(cause as Error).message}`, details);
  }
}
