import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  authorityOf,
  type Endpoint,
  type Exchange,
  type HttpRequest,
  type PoolLimits,
  type RequestBody,
} from '../http/exchange.ts';
import { openSocket } from '../http/tls-socket.ts';
import { transportError } from '../http/transport-error.ts';
import { unlessAborted } from '../timing/abort.ts';
import { exchangeOver, requestOptions } from './http1-exchange.ts';
import { nodeHttp } from './node-http.ts';

/** The maximum size of a response head. */
const HEAD_BYTES_MAX = 64 * 1024;

export interface UpgradeLimits extends Pick<PoolLimits, 'connectTimeoutMs' | 'handshakeTimeoutMs'> {
  /** From the sending of the request to the head of the response. */
  readonly headTimeoutMs: number;
}

/** The connection itself, or an ordinary response. */
export type UpgradeOutcome =
  | {
      readonly kind: 'upgraded';
      /** Includes the empty line. */
      readonly head: Buffer;
      /** Starts after the head. Either direction may end by itself. The caller closes it. */
      readonly connection: Duplex;
    }
  | { readonly kind: 'response'; readonly exchange: Exchange };

/** Requests another protocol, in HTTP/1.1 on a connection of its own. `onEnd` runs when that is closed. */
export async function requestUpgrade(
  endpoint: Endpoint,
  request: HttpRequest<RequestBody>,
  limits: UpgradeLimits,
): Promise<UpgradeOutcome> {
  const { onEnd, ...rest } = request;
  const socket = await dial(endpoint, request, limits);
  if (onEnd !== undefined) socket.once('close', onEnd);
  // Errors end in 'close', and readers of the connection get them too.
  socket.on('error', () => {});
  if (request.signal.aborted) socket.destroy();
  request.signal.throwIfAborted();
  const outgoing = nodeHttp().request({
    ...requestOptions(request, authorityOf(endpoint)),
    createConnection: () => socket,
    maxHeaderSize: HEAD_BYTES_MAX,
  });
  const timer = setTimeout(() => {
    const error = new Error(`no response within ${limits.headTimeoutMs} ms`);
    outgoing.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  }, limits.headTimeoutMs);
  try {
    return await Promise.race([upgraded(outgoing), responded(outgoing, rest)]);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function dial(
  endpoint: Endpoint,
  { signal, subject }: HttpRequest<RequestBody>,
  { connectTimeoutMs, handshakeTimeoutMs }: UpgradeLimits,
): Promise<Socket> {
  signal.throwIfAborted();
  const opening = openSocket(endpoint, {
    ...{ alpn: ['http/1.1'], timeoutMs: connectTimeoutMs, handshakeTimeoutMs },
    allowHalfOpen: true,
  });
  try {
    return await unlessAborted(opening, signal);
  } catch (error) {
    // The caller is gone: the outcome does not matter.
    if (signal.aborted) opening.then((socket) => socket.destroy()).catch(() => {});
    signal.throwIfAborted();
    throw transportError(subject, error, { maybeProcessed: false, reusedConnection: false });
  }
}

function upgraded(outgoing: ClientRequest): Promise<UpgradeOutcome> {
  return new Promise((resolve) => {
    outgoing.once('upgrade', (message: IncomingMessage, connection: Duplex, rest: Buffer) => {
      if (rest.length > 0) connection.unshift(rest);
      resolve({ kind: 'upgraded', head: headBytes(message), connection });
    });
  });
}

/** Also rejects with failures. After an upgrade its result is not used. */
async function responded(
  outgoing: ClientRequest,
  request: HttpRequest<RequestBody>,
): Promise<UpgradeOutcome> {
  return { kind: 'response', exchange: await exchangeOver(outgoing, request) };
}

/** Node retains the headers as they were, with the case of names and repetitions. */
function headBytes({
  httpVersion,
  statusCode,
  statusMessage,
  rawHeaders,
}: IncomingMessage): Buffer {
  const lines = [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
