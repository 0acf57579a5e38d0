/** One of the two servers, over connections that are kept: a thousand histories are tens of thousands of requests. */
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { KeyPair } from '../../test/harness/index.ts';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface SideResponse {
  readonly code: number;
  readonly body: unknown;
}

export interface Side {
  readonly name: string;
  send(sent: Sent): Promise<SideResponse>;
  close(): void;
}

const CONNECTIONS_MAX = 16;
const TIMEOUT_MS = 60_000;

export function httpsSide(
  name: string,
  server: { readonly url: string; readonly ca: string; readonly admin: KeyPair },
): Side {
  const { ca, admin } = server;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX, ca, ...admin });
  return {
    name,
    send: async ({ method, path, headers = {}, body }) => {
      const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const outgoing = request(server.url + path, {
        method,
        agent,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { ...headers, ...(bytes && { 'content-length': bytes.byteLength }) },
      });
      const responded = once(outgoing, 'response');
      outgoing.end(bytes);
      const [incoming] = await responded;
      const response = await text(incoming);
      const isJson = incoming.headers['content-type']?.includes('json');
      return { code: incoming.statusCode ?? 0, body: isJson ? JSON.parse(response) : response };
    },
    close: () => agent.destroy(),
  };
}
