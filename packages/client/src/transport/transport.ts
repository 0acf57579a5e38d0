import { Connections } from '../connections/connections.ts';
import {
  type ClientCertificate,
  type Credential,
  createCredentials,
  pemReader,
} from '../credentials/credentials.ts';
import type {
  ConnectionLimits,
  Endpoint,
  Exchange,
  HeaderList,
  HttpRequest,
  TlsSettings,
} from '../http/exchange.ts';
import { TransportError } from '../http/transport-error.ts';
import type { ClientConfig } from '../kubeconfig/client-config.ts';
import { unlessAborted } from '../timing/abort.ts';
import { type Clock, maintenanceClock, sleep, systemClock } from '../timing/clock.ts';
import { abortScope, Deadline } from './deadline.ts';
import { collect, collectBeginning, unpacked } from './response-body.ts';
import { responseError, retryAfterSeconds } from './response-error.ts';
import { delayAfterFailure, delayAfterResponse, RETRIES_MAX } from './retry.ts';

export interface RequestOptions {
  /** Values are written as strings; undefined ones are omitted. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** An array is a repeated header. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal;
  /** The maximum number of retries, see `retry.ts`. */
  readonly retriesMax?: number;
  /** Responses of every status are returned, instead of being thrown or retried. */
  readonly anyStatus?: boolean;
  /** Until the head of the response. */
  readonly headersTimeoutMs?: number;
  /** For a response that is read as a whole, in place of the transport's. */
  readonly responseBytesMax?: number;
}

export interface ResponseHead {
  readonly status: number;
  /** Lower-case names; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** As received, with repetitions, names in lower case. */
  readonly rawHeaders: HeaderList;
  readonly httpVersion: '1.1' | '2';
}

export interface TransportResponse extends ResponseHead {
  readonly body: Buffer;
}

export interface TransportStream extends ResponseHead, AsyncDisposable {
  /**
   * Ends with the response and throws when it is cut short, or the signal's reason when that fires. The server sends no
   * faster than this is read.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the stream early. */
  close(): Promise<void>;
}

/** Requests to one server as one user. Responses outside of 2xx are thrown as `StatusError`. */
export interface Transport extends AsyncDisposable {
  /** The whole response in memory. */
  request(method: string, path: string, options?: RequestOptions): Promise<TransportResponse>;
  /** The response as it arrives; resolves with its head. */
  stream(method: string, path: string, options?: RequestOptions): Promise<TransportStream>;
  /** Ends requests under way and releases all connections; closing twice is harmless. */
  close(): Promise<void>;
}

export interface TransportOptions extends Partial<ConnectionLimits> {
  readonly clock?: Clock;
  readonly userAgent?: string;
  readonly headersTimeoutMs?: number;
  /** Between two chunks of a response that is read as a whole. Streams may be silent. */
  readonly bodyTimeoutMs?: number;
  /** For a response that is read as a whole; a longer one is an error. */
  readonly responseBytesMax?: number;
  readonly execTimeoutMs?: number;
  /** Replaces all connections, for a server that is reached in another way. */
  readonly open?: (request: HttpRequest) => Promise<Exchange>;
}

const DEFAULTS = {
  clock: systemClock,
  userAgent: 'tributary-client',
  connectTimeoutMs: 30_000,
  /** Servers give up after a minute, and respond then. */
  headersTimeoutMs: 90_000,
  bodyTimeoutMs: 60_000,
  /** Just below the longest string of Node, which JSON.parse needs. */
  responseBytesMax: 500_000_000,
  connectionsMax: 128,
  pingIntervalMs: 30_000,
  pingTimeoutMs: 15_000,
  idleTimeoutMs: 90_000,
  maintenanceClock,
};
/** Only the beginning of an error is shown, and no Status is longer. */
const ERROR_BYTES_MAX = 4 * 1024 * 1024;

export function createTransport(config: ClientConfig, options: TransportOptions = {}): Transport {
  return new ConnectedTransport(config, options);
}

class ConnectedTransport implements Transport {
  readonly #config: ClientConfig;
  readonly #options: Required<Omit<TransportOptions, 'execTimeoutMs' | 'open'>>;
  readonly #openElsewhere: TransportOptions['open'];
  readonly #url: URL;
  readonly #credentials: ReturnType<typeof createCredentials>;
  readonly #ca: (() => Promise<string>) | undefined;
  readonly #closing = new AbortController();
  /** Connections are bound to the certificate they were made with. */
  #connections:
    | { readonly to: Connections; readonly as: ClientCertificate | undefined }
    | undefined;
  #retired: Connections[] = [];

  constructor(config: ClientConfig, options: TransportOptions) {
    this.#config = config;
    this.#options = { ...DEFAULTS, ...options };
    this.#openElsewhere = options.open;
    this.#url = new URL(config.server);
    const { certificate, authorization } = config.identity;
    const known = certificate !== undefined || authorization !== undefined;
    if (this.#url.protocol !== 'https:' && known) {
      throw new TypeError(`${config.server}: credentials are not sent in clear text`);
    }
    const { clock } = this.#options;
    this.#credentials = createCredentials(config.identity, {
      clock,
      ...(options.execTimeoutMs !== undefined && { timeoutMs: options.execTimeoutMs }),
    });
    this.#ca = config.ca === undefined ? undefined : pemReader(config.ca, clock);
  }

  async request(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<TransportResponse> {
    const compress = this.#config.disableCompression !== true;
    return this.#withRetries({ method, path, options, compress }, async (attempt) => {
      const { exchange, head } = attempt;
      const { bodyTimeoutMs, responseBytesMax } = { ...this.#options, ...options };
      const limits = { bytesMax: responseBytesMax, subject: attempt.subject };
      const body = await collect(exchange.body, {
        ...limits,
        timer: attempt.deadline,
        timeoutMs: bodyTimeoutMs,
      });
      attempt.release();
      return { ...head, body: await unpacked(body, head.headers, limits) };
    });
  }

  async stream(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<TransportStream> {
    return this.#withRetries({ method, path, options, compress: false }, async (attempt) => {
      attempt.deadline.stop();
      const close = async (): Promise<void> => {
        attempt.exchange.cancel();
        attempt.release();
      };
      const body = releasing(attempt.exchange.body, attempt.release);
      return { ...attempt.head, body, close, [Symbol.asyncDispose]: close };
    });
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the transport is closed'));
    this.#connections?.to.destroy();
    for (const connections of this.#retired) connections.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Sends until there is a response to return, within the maximum of retries. */
  async #withRetries<T>(call: Call, accept: (attempt: Attempt) => Promise<T>): Promise<T> {
    const { method, options } = call;
    const retriesMax = options.anyStatus === true ? 0 : (options.retriesMax ?? RETRIES_MAX);
    let refreshed = false;
    for (let attempt = 1; ; attempt += 1) {
      const credential = await unlessAborted(this.#credentials.current(), options.signal);
      const outcome = await this.#attempt(call, credential, accept);
      if (outcome.kind === 'accepted') return outcome.value;
      if (outcome.status === 401 && !refreshed) {
        refreshed = true;
        if (await unlessAborted(this.#credentials.refresh(credential), options.signal)) continue;
      }
      const delayMs =
        outcome.status === undefined
          ? delayAfterFailure(method, outcome.error, attempt)
          : delayAfterResponse(method, outcome);
      if (delayMs === undefined || attempt > retriesMax) throw outcome.error;
      await this.#pause(delayMs, options.signal);
    }
  }

  async #pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
    const scope = abortScope([signal, this.#closing.signal]);
    try {
      await sleep(this.#options.clock, delayMs, scope.controller.signal);
    } finally {
      scope.release();
    }
  }

  async #attempt<T>(
    call: Call,
    credential: Credential,
    accept: (attempt: Attempt) => Promise<T>,
  ): Promise<Outcome<T>> {
    const attempt = await this.#open(call, credential);
    if (attempt instanceof Error) return { kind: 'failed', status: undefined, error: attempt };
    const { status } = attempt.head;
    if ((status >= 200 && status < 300) || call.options.anyStatus === true) {
      try {
        return { kind: 'accepted', value: await accept(attempt) };
      } catch (error) {
        attempt.exchange.cancel();
        attempt.release();
        if (error instanceof TransportError) return { kind: 'failed', status: undefined, error };
        throw error;
      }
    }
    return this.#rejected(call, attempt);
  }

  async #rejected(call: Call, attempt: Attempt): Promise<Outcome<never>> {
    const { head, exchange } = attempt;
    let body: Buffer;
    try {
      const beginning = await collectBeginning(exchange.body, ERROR_BYTES_MAX);
      body = await unpacked(beginning, head.headers, {
        bytesMax: ERROR_BYTES_MAX,
        subject: attempt.subject,
      });
    } catch {
      call.options.signal?.throwIfAborted();
      body = Buffer.alloc(0); // The status is enough.
    } finally {
      exchange.cancel();
      attempt.release();
    }
    const { status, headers } = head;
    const error = responseError({ method: call.method, path: call.path, status, headers, body });
    return {
      kind: 'failed',
      status,
      retryAfterSeconds: retryAfterSeconds(headers),
      error,
    };
  }

  /** Failures of the connection are returned; the caller's own abort and misuse are thrown. */
  async #open(call: Call, credential: Credential): Promise<Attempt | TransportError> {
    const { method, path, options } = call;
    const subject = `${method} ${this.#url.origin}${path}`;
    const timeoutMs = options.headersTimeoutMs ?? this.#options.headersTimeoutMs;
    const scope = abortScope([options.signal, this.#closing.signal]);
    const deadline = new Deadline(scope.controller, subject);
    const release = (): void => {
      deadline.stop();
      scope.release();
    };
    try {
      deadline.start(timeoutMs, `no response within ${timeoutMs} ms`);
      const request: HttpRequest = {
        method,
        path: this.#fullPath(path, options.query),
        headers: this.#headers(call, credential),
        body: typeof options.body === 'string' ? Buffer.from(options.body) : options.body,
        signal: scope.controller.signal,
        subject,
      };
      const exchange = await (this.#openElsewhere?.(withLength(request)) ??
        this.#connectionsAs(credential.certificate).open(request));
      return { exchange, head: responseHead(exchange), deadline, subject, release };
    } catch (error) {
      release();
      if (error instanceof TransportError) return error;
      throw error;
    }
  }

  #connectionsAs(certificate: ClientCertificate | undefined): Connections {
    this.#closing.signal.throwIfAborted();
    if (this.#connections !== undefined && this.#connections.as === certificate) {
      return this.#connections.to;
    }
    if (this.#connections !== undefined) {
      this.#connections.to.retire();
      this.#retired = [...this.#retired, this.#connections.to].filter(({ isDone }) => !isDone);
    }
    const to = new Connections(this.#endpoint(certificate), this.#options);
    this.#connections = { to, as: certificate };
    return to;
  }

  #endpoint(certificate: ClientCertificate | undefined): Endpoint {
    const { protocol, hostname, port, origin } = this.#url;
    const secure = protocol === 'https:';
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (secure ? 443 : 80) : Number(port),
      origin,
      tls: secure ? () => this.#tlsSettings(certificate) : undefined,
    };
  }

  async #tlsSettings(certificate: ClientCertificate | undefined): Promise<TlsSettings> {
    const { tlsServerName, insecureSkipTlsVerify } = this.#config;
    return {
      ...(this.#ca !== undefined && { ca: await this.#ca() }),
      ...(certificate !== undefined && { cert: certificate.certificate, key: certificate.key }),
      ...(tlsServerName !== undefined && { serverName: tlsServerName }),
      ...(insecureSkipTlsVerify === true && { insecureSkipVerify: true }),
    };
  }

  #fullPath(path: string, query: RequestOptions['query'] = {}): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) parameters.append(name, String(value));
    }
    const prefix = this.#url.pathname.replace(/\/$/, '');
    return parameters.size === 0 ? `${prefix}${path}` : `${prefix}${path}?${parameters}`;
  }

  #headers({ options, compress }: Call, credential: Credential): HeaderList {
    const own = new Map<string, string | readonly string[]>([
      ['accept', 'application/json'],
      ['user-agent', this.#options.userAgent],
      ...(compress ? [['accept-encoding', 'gzip'] as const] : []),
    ]);
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      own.set(name.toLowerCase(), value);
    }
    const lines = [...own].flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).map((line) => [name, line] as const),
    );
    // A header of the request replaces the same header of the credentials: it is another identity for this request.
    return [...lines, ...credential.headers.filter(([name]) => !own.has(name))];
  }
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly options: RequestOptions;
  readonly compress: boolean;
}

interface Attempt {
  readonly exchange: Exchange;
  readonly head: ResponseHead;
  readonly deadline: Deadline;
  readonly subject: string;
  /** Removes listeners and timers; the exchange is done or cancelled. */
  release(): void;
}

type Outcome<T> =
  | { readonly kind: 'accepted'; readonly value: T }
  | { readonly kind: 'failed'; readonly status: undefined; readonly error: Error }
  | {
      readonly kind: 'failed';
      readonly status: number;
      readonly retryAfterSeconds: number | undefined;
      readonly error: Error;
    };

/** HTTP/2 states the length of a body in a header; a proxy takes a request without one for a request without a body. */
function withLength(request: HttpRequest): HttpRequest {
  const { headers, body } = request;
  if (!(body instanceof Uint8Array)) return request;
  return { ...request, headers: [...headers, ['content-length', String(body.length)]] };
}

function responseHead({ status, rawHeaders, httpVersion }: Exchange): ResponseHead {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of rawHeaders) {
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return { status, headers, rawHeaders, httpVersion };
}

async function* releasing(
  source: AsyncIterable<Uint8Array>,
  release: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } finally {
    release();
  }
}
