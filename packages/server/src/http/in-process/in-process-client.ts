import { type Client, createClient, type Exchange, type HttpRequest } from '@tributary/client';
import type { Peer } from '../../request/pipeline.ts';
import type { Exchange as ServerExchange } from '../listener/exchange.ts';
import { memoryExchange } from './memory-exchange.ts';

interface InProcessClientOptions {
  readonly serve: (exchange: ServerExchange) => void;
  /** The client's identity, see `InProcessPeers`. */
  readonly peer: Peer;
  /** The default field manager. */
  readonly userAgent: string;
}

/** A client of a server in the same process: requests pass through the whole server except socket and TLS. */
export function inProcessClient(options: InProcessClientOptions): Client {
  return createClient(
    {
      server: 'https://in-process',
      identity: {},
      namespace: 'default',
      disableCompression: true,
    },
    { userAgent: options.userAgent, open: (request) => open(request, options) },
  );
}

async function open(
  { method, path, headers, body, signal }: HttpRequest,
  { serve, peer }: InProcessClientOptions,
): Promise<Exchange> {
  signal.throwIfAborted();
  const one = memoryExchange({
    method,
    target: path,
    headerLines: headers.flat(),
    body: body ?? new Uint8Array(),
    peer,
  });
  const leave = () => one.leave();
  signal.addEventListener('abort', leave, { once: true });
  serve(one.exchange);
  const { code, headers: responseHeaders } = await unlessAborted(one.head, signal);
  return {
    status: code,
    rawHeaders: responseHeaders.map(([name, value]) => [name.toLowerCase(), value] as const),
    httpVersion: '2',
    body: untilAborted(one.body, signal, leave),
    cancel: leave,
  };
}

/** A call that was aborted rejects with the reason of its signal, not with a consequence of it. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

async function* untilAborted(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  leave: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}
