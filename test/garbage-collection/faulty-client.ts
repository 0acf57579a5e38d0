/** A client between the collector and its control plane that can be told to be wrong. */
import { parseJson, StatusError, serviceUnavailable, stringifyJson } from '@tributary/apimachinery';
import { type Client, type RequestOptions, resource, type Transport } from '@tributary/client';

/** Ways in which a collector can be broken. */
export type Mutant =
  /** It takes an answer that there is no answer for the answer that there is no object. */
  | 'unavailable is absent'
  /** It lets owners go without telling their dependents. */
  | 'orphans are not told'
  /** It does not hear that objects are gone. */
  | 'deletions are missed';

export interface Faults {
  /** Requests for paths with this prefix get no response. */
  away: string | undefined;
  /** Requests for paths that begin so wait until they are answered. */
  silent: string | undefined;
  /** Sends the responses to pending requests. */
  readonly unanswered: Set<() => void>;
  readonly mutant?: Mutant | undefined;
}

export function faultyClient(client: Client, faults: Faults): Client {
  const transport = faultyTransport(client.transport, faults);
  return {
    ...client,
    transport,
    resource: (type) => resource(transport, type),
  };
}

function faultyTransport(transport: Transport, faults: Faults): Transport {
  const { mutant } = faults;
  return {
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
    async request(method, path, options = {}) {
      if (isAway(path, faults)) throw awayError(path, method, faults);
      if (faults.silent !== undefined && path.startsWith(faults.silent)) {
        await responded(faults, options.signal);
      }
      if (mutant === 'orphans are not told' && method === 'PATCH' && isRemoval(options)) {
        return transport.request('GET', path, withoutBody(options));
      }
      return transport.request(method, path, options);
    },
    async stream(method, path, options) {
      if (isAway(path, faults)) throw serviceUnavailable('the server is away');
      const stream = await transport.stream(method, path, options);
      if (mutant !== 'deletions are missed') return stream;
      return { ...stream, body: withoutDeletions(stream.body) };
    },
  };
}

async function responded({ unanswered }: Faults, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  unanswered.add(resolve);
  signal?.addEventListener('abort', () => resolve(), { once: true });
  try {
    await promise;
    signal?.throwIfAborted();
  } finally {
    unanswered.delete(resolve);
  }
}

function isAway(path: string, { away }: Faults): boolean {
  return away !== undefined && path.startsWith(away);
}

function awayError(path: string, method: string, { mutant }: Faults): StatusError {
  if (mutant !== 'unavailable is absent' || method !== 'GET') {
    return serviceUnavailable('the server is away');
  }
  const name = path.slice(path.lastIndexOf('/') + 1);
  const message = `${name} not found`;
  return new StatusError({ code: 404, reason: 'NotFound', message, details: { name } });
}

function isRemoval({ body }: RequestOptions): boolean {
  return body !== undefined && String(body).includes('$patch');
}

function withoutBody({ body: _, headers: __, ...options }: RequestOptions): RequestOptions {
  return options;
}

async function* withoutDeletions(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    const lines = Buffer.from(chunk).toString().split('\n');
    const retained = lines.filter((line) => !line.startsWith('{"type":"DELETED"'));
    yield Buffer.from(retained.join('\n'));
  }
}

/** Where every request has an answer, whatever it is. */
export async function sendAny(
  { transport }: Client,
  method: string,
  path: string,
  body?: object,
  contentType = 'application/json',
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await transport.request(method, path, {
    anyStatus: true,
    ...(body !== undefined && {
      headers: { 'content-type': contentType },
      body: stringifyJson(body),
    }),
  });
  return { status: response.status, body: parseJson(response.body) };
}
