/** A small HTTPS client that shows the bytes of the wire: chosen protocol, repeated headers, raw pairs. */
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders as Http2Headers,
} from 'node:http2';
import { type RequestOptions as NodeRequestOptions, request } from 'node:https';
import type { Readable } from 'node:stream';

export type HttpVersion = '1.1' | '2';

export interface RequestOptions {
  method?: string;
  headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Any value but a string or bytes is sent as JSON with its content type. */
  body?: unknown;
  http?: HttpVersion;
  /** PEM of the CA that signed the server's certificate. */
  ca?: string;
  /** PEM of the client's certificate and key. */
  cert?: string;
  key?: string;
  token?: string;
  /** The name in the server's certificate, when the URL has an address. */
  servername?: string;
  /** For a whole response; for a stream, until its headers. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface ResponseHead {
  status: number;
  http: HttpVersion;
  /** Lower-case names; values of repeated headers are joined with a comma. */
  headers: Readonly<Record<string, string>>;
  /** As received, with repetitions, without HTTP/2 pseudo-headers. */
  rawHeaders: readonly (readonly [name: string, value: string])[];
}

export interface Response extends ResponseHead {
  body: string;
  bytes: Buffer;
  /** Parses the body as JSON; the error contains the beginning of a body that is not JSON. */
  json(): unknown;
}

export interface StreamResponse extends ResponseHead, AsyncDisposable {
  /** One value per line, as in a watch. Ends with the response; throws when the connection breaks. */
  lines: AsyncIterable<unknown>;
  /** Disconnects. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
/** Node's default of 64 KiB is too small for a user with hundreds of groups. */
const HEADER_BYTES_MAX = 4 * 1024 * 1024;

/** Sends one request on a new connection and reads the whole response into memory. */
export async function httpsRequest(url: string, options: RequestOptions = {}): Promise<Response> {
  const { timeoutMs = TIMEOUT_MS } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const exchange = await openExchange(url, { ...options, signal });
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of exchange.source) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const body = bytes.toString('utf8');
    return { ...exchange.head, body, bytes, json: () => parseJson(url, body) };
  } catch (error) {
    throw describeFailure(url, { error, signal });
  } finally {
    exchange.close();
  }
}

/** Sends a request and reads the response line by line while it arrives. */
export async function httpsStream(
  url: string,
  options: RequestOptions = {},
): Promise<StreamResponse> {
  const { timeoutMs = TIMEOUT_MS } = options;
  const leave = new AbortController();
  const timer = setTimeout(() => {
    leave.abort(new Error(`no headers within ${timeoutMs} ms`));
  }, timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, leave.signal]) : leave.signal;
  try {
    const exchange = await openExchange(url, { ...options, signal });
    let left = false;
    const close = async (): Promise<void> => {
      left = true;
      exchange.close();
    };
    const lines = jsonLines(url, { source: exchange.source, left: () => left });
    return { ...exchange.head, lines, close, [Symbol.asyncDispose]: close };
  } finally {
    clearTimeout(timer);
  }
}

/** The next values of an iterable, with a timeout: `await take(watch.lines[Symbol.asyncIterator](), 2)`. */
export async function take<T>(
  iterator: AsyncIterator<T>,
  count: number,
  timeoutMs = TIMEOUT_MS,
): Promise<T[]> {
  const taken: T[] = [];
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const got = JSON.stringify(taken).slice(0, 2_000);
    timeout.reject(new Error(`${taken.length} of ${count} within ${timeoutMs} ms: ${got}`));
  }, timeoutMs);
  try {
    while (taken.length < count) {
      const next = await Promise.race([iterator.next(), timeout.promise]);
      if (next.done) throw new Error(`ended after ${taken.length} of ${count}`);
      taken.push(next.value);
    }
    return taken;
  } finally {
    clearTimeout(timer);
  }
}

interface Exchange {
  head: ResponseHead;
  source: Readable;
  close(): void;
}

type Opening = RequestOptions & { signal: AbortSignal };

async function openExchange(url: string, options: Opening): Promise<Exchange> {
  try {
    return options.http === '2' ? await openHttp2(url, options) : await openHttp1(url, options);
  } catch (error) {
    throw describeFailure(url, { error, signal: options.signal });
  }
}

async function openHttp1(url: string, options: Opening): Promise<Exchange> {
  const { method = 'GET', signal } = options;
  const body = encodeBody(options);
  const nodeOptions: NodeRequestOptions = {
    method,
    headers: { ...requestHeaders(options), ...lengthHeader(body) },
    agent: false,
    signal,
    ...tlsOptions(options),
  };
  const outgoing = request(url, nodeOptions);
  const responded = once(outgoing, 'response');
  outgoing.end(body);
  const [incoming] = await responded;
  const { statusCode = 0, rawHeaders } = incoming as { statusCode?: number; rawHeaders: string[] };
  outgoing.on('error', () => undefined); // The readable side reports it.
  return {
    head: responseHead({ status: statusCode, http: '1.1', flat: rawHeaders }),
    source: incoming as Readable,
    close: () => void outgoing.destroy(),
  };
}

async function openHttp2(url: string, options: Opening): Promise<Exchange> {
  const { method = 'GET', signal } = options;
  const { origin, pathname, search } = new URL(url);
  const session = connect(origin, {
    ALPNProtocols: ['h2'],
    maxSendHeaderBlockLength: HEADER_BYTES_MAX,
    ...tlsOptions(options),
  });
  const abort = (): void => session.destroy(abortReason(signal));
  signal.addEventListener('abort', abort, { once: true });
  const close = (): void => {
    signal.removeEventListener('abort', abort);
    session.destroy();
  };
  try {
    signal.throwIfAborted();
    return {
      ...(await exchangeHttp2(session, { ...options, method, path: pathname + search })),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function exchangeHttp2(
  session: ClientHttp2Session,
  options: Opening & { method: string; path: string },
): Promise<Omit<Exchange, 'close'>> {
  const broken = once(session, 'error').then(([error]) => Promise.reject(error));
  broken.catch(() => undefined); // The race below may ignore this rejection when the response came first.
  const body = encodeBody(options);
  const stream: ClientHttp2Stream = session.request(
    {
      [constants.HTTP2_HEADER_METHOD]: options.method,
      [constants.HTTP2_HEADER_PATH]: options.path,
      ...requestHeaders(options),
      ...lengthHeader(body),
    },
    { endStream: body === undefined },
  );
  if (body !== undefined) stream.end(body);
  // A connection may also close without an error, and then the stream emits nothing else.
  const closed = once(stream, 'close').then(() =>
    Promise.reject(new Error('closed before a response')),
  );
  closed.catch(() => undefined);
  const [headers, , flat] = await Promise.race([once(stream, 'response'), broken, closed]);
  const status = Number((headers as Http2Headers)[constants.HTTP2_HEADER_STATUS]);
  return { head: responseHead({ status, http: '2', flat: flat as string[] }), source: stream };
}

async function* jsonLines(
  url: string,
  { source, left }: { source: Readable; left: () => boolean },
): AsyncGenerator<unknown> {
  let rest = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of source) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) if (line.trim() !== '') yield parseJson(url, line);
    }
  } catch (error) {
    if (!left()) throw error;
  }
  if (rest.trim() !== '' && !left()) yield parseJson(url, rest);
}

function requestHeaders(options: RequestOptions): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  if (options.body !== undefined && !isRaw(options.body)) {
    headers['content-type'] = 'application/json';
  }
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    headers[name.toLowerCase()] = typeof value === 'string' ? value : [...value];
  }
  return headers;
}

function encodeBody({ body }: RequestOptions): Uint8Array | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function isRaw(body: unknown): boolean {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function lengthHeader(body: Uint8Array | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(body.byteLength) };
}

function tlsOptions(options: RequestOptions): {
  ca?: string;
  cert?: string;
  key?: string;
  servername?: string;
} {
  const { ca, cert, key, servername } = options;
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(servername === undefined ? {} : { servername }),
  };
}

function responseHead(raw: {
  status: number;
  http: HttpVersion;
  flat: readonly string[];
}): ResponseHead {
  const rawHeaders: [string, string][] = [];
  const headers: Record<string, string> = {};
  for (let index = 0; index + 1 < raw.flat.length; index += 2) {
    const name = raw.flat[index] ?? '';
    const value = raw.flat[index + 1] ?? '';
    if (name.startsWith(':')) continue;
    rawHeaders.push([name, value]);
    const key = name.toLowerCase();
    const before = headers[key];
    headers[key] = before === undefined ? value : `${before}, ${value}`;
  }
  return { status: raw.status, http: raw.http, headers, rawHeaders };
}

function parseJson(url: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${url} returned no JSON: ${text.slice(0, 200)}`, { cause });
  }
}

function describeFailure(url: string, failure: { error: unknown; signal: AbortSignal }): Error {
  const cause = failure.signal.aborted ? abortReason(failure.signal) : failure.error;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Error(`${url}: ${message}`, { cause });
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted');
}
