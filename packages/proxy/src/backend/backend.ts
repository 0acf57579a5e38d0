import type { Duplex, Readable } from 'node:stream';
import type { HeaderList } from '@tributary/client';
import type { BackendServer } from './backend-config.ts';
import type { Target } from './target.ts';

/** A request for a backend. */
export interface BackendRequest {
  readonly method: string;
  /** With the query, as it goes on the wire. */
  readonly path: string;
  /** Lower-case names, one entry per header, without `host` and the headers of a connection. */
  readonly headers: HeaderList;
  /** A stream is sent as it is read; its length is among the headers when it is known. */
  readonly body: Uint8Array | Readable | undefined;
  /** Ends the exchange at any time; its reason is the error of the caller. */
  readonly signal: AbortSignal;
  /** Watches have a limit of their own and never take the place of other requests; probes have none. */
  readonly use: 'request' | 'watch' | 'probe';
  /** More headers, which depend on the target. */
  readonly headersFor?: (target: Target) => HeaderList;
  /** Called for interim responses such as 103, never for 100 and 101. */
  readonly onInterim?: (status: number, headers: HeaderList) => void;
}

export interface BackendResponse {
  readonly status: number;
  /** Lower-case names, one entry per header. */
  readonly headers: HeaderList;
  /** Throws when the response breaks off. A slow reader slows the server. Must be read to its end, or cancelled. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The trailers, once the body was read to its end. */
  readonly trailers?: () => HeaderList;
  /** The target that responded. */
  readonly target: Target;
  cancel(): void;
}

/** The response to a request for another protocol: the connection itself, or an ordinary response. */
export type UpgradeResponse =
  | {
      readonly kind: 'upgraded';
      readonly status: 101;
      /** Status line and headers as the server sent them, with the empty line; the client gets them unchanged. */
      readonly head: Uint8Array;
      /** From the first byte behind the headers. */
      readonly connection: Duplex;
      readonly target: Target;
    }
  | ({ readonly kind: 'response' } & BackendResponse);

/** Sends requests to one server. Rejects with a BackendFailure or TransportError when no response came. */
export interface RequestSender {
  send(request: BackendRequest): Promise<BackendResponse>;
  /** The headers have `connection` and `upgrade`. HTTP/1.1, on a connection of its own. */
  upgrade(request: BackendRequest): Promise<UpgradeResponse>;
}

/** One server: all of its targets, their connections, and its limits. */
export interface Backend extends RequestSender {
  readonly server: BackendServer;
  /** Closes idle connections: the server may have moved, or have failed. */
  dropIdle(): void;
}

/** All backends, by server. */
export interface Backends<Server extends BackendServer = BackendServer> extends AsyncDisposable {
  /** Opens the backend at the first call, and returns the same one until its configuration changes. */
  of(server: Server): Backend;
  /** Closes the connections of a removed server when their requests have ended. */
  forget(name: string): void;
  /** New connections have the new client certificate; the others end with their requests. */
  identityChanged(): void;
  close(): Promise<void>;
}

/** Receives the outcome of every exchange that was not a probe. */
export type OnEvidence = (
  server: BackendServer,
  evidence: { readonly failure: BackendFailure | undefined; readonly target: Target | undefined },
) => void;

/** The step at which an exchange with a server failed. */
export type FailureHop =
  | 'target' // no target: see the TargetProblem
  | 'dns'
  | 'connect' // refused, unreachable, or silent during the TCP handshake
  | 'tls' // the handshake failed
  | 'tls-name' // the certificate is for another name
  | 'ca' // an unknown authority, an expired certificate, or a caBundle that is not PEM
  | 'head' // the server refuses request headers of that size
  | 'busy' // our own limit for this server
  | 'silent' // connected, but no response in time
  | 'reset' // the connection ended before a response
  | 'protocol'; // the response is not HTTP

/** Ends a probe without a response in time: the target may be frozen. */
export class ProbeTimeout extends Error {
  override readonly name = 'ProbeTimeout';

  constructor() {
    super('the probe took too long');
  }
}

/** No response came from a server. */
export class BackendFailure extends Error {
  override readonly name = 'BackendFailure';
  readonly hop: FailureHop;
  /** False when the server certainly did not process the request. */
  readonly maybeProcessed: boolean;
  readonly target: Target | undefined;
  /** Of `busy`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    details: {
      readonly hop: FailureHop;
      readonly maybeProcessed: boolean;
      readonly target?: Target | undefined;
      readonly retryAfterSeconds?: number;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: details.cause });
    this.hop = details.hop;
    this.maybeProcessed = details.maybeProcessed;
    this.target = details.target;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
