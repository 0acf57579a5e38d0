import type { Duplex, Readable } from 'node:stream';
import type { HeaderList } from '@tributary/client';
import type { BackendServer } from './backend-config.ts';
import type { Target } from './target.ts';

/** What is sent to a server behind the aggregator. */
export interface BackendRequest {
  readonly method: string;
  /** With the query, as it goes on the wire. */
  readonly path: string;
  /** Lower-case names, one line each, without `host` and what belongs to a connection. */
  readonly headers: HeaderList;
  /** A stream is sent as it comes; its length is among the headers when it is known. */
  readonly body: Uint8Array | Readable | undefined;
  /** Ends the exchange at any time; its reason is what the waiting side gets. */
  readonly signal: AbortSignal;
  /** Watches have a bound of their own, and never take the place of anything else; probes are under no bound. */
  readonly use: 'request' | 'watch' | 'probe';
  /** More lines, for the one who is asked: its own address is among them. */
  readonly headersFor?: (target: Target) => HeaderList;
  /** Told of answers before the answer, such as 103; never of 100 and 101. */
  readonly onInterim?: (status: number, headers: HeaderList) => void;
}

export interface BackendResponse {
  readonly status: number;
  /** Lower-case names, one line each. */
  readonly headers: HeaderList;
  /** Throws when the answer is cut short. A slow reader slows the server. Must be read to its end, or cancelled. */
  readonly body: AsyncIterable<Uint8Array>;
  /** What followed the body, once that was read to its end. */
  readonly trailers?: () => HeaderList;
  /** Who answered. */
  readonly target: Target;
  cancel(): void;
}

/** The answer to a request for another protocol: the connection itself, or an ordinary answer. */
export type UpgradeResponse =
  | {
      readonly kind: 'upgraded';
      readonly status: 101;
      /** As the server wrote it, with the empty line: it goes to the client unchanged. */
      readonly head: Uint8Array;
      /** What follows the head. */
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

/** One server behind the aggregator: every process of it, their connections, and their bounds. */
export interface Backend extends RequestSender {
  readonly server: BackendServer;
  /** Connections that nobody uses are closed: the server may have moved, or be half dead. */
  dropIdle(): void;
}

/** All of them, by server. */
export interface Backends<Server extends BackendServer = BackendServer> extends AsyncDisposable {
  /** Made when first asked for; the same until what its connections depend on has changed. */
  of(server: Server): Backend;
  /** The server is gone: requests under way may finish, connections close. */
  forget(name: string): void;
  /** Connections from now on show the new certificate; those in use finish with the old one. */
  identityChanged(): void;
  close(): Promise<void>;
}

/** What traffic tells of a server; hears every exchange that was not a probe. */
export type OnEvidence = (
  server: BackendServer,
  evidence: { readonly failure: BackendFailure | undefined; readonly target: Target | undefined },
) => void;

/** At which step an exchange with a server failed. */
export type FailureHop =
  | 'target' // nobody to ask: see the TargetProblem
  | 'dns'
  | 'connect' // refused, unreachable, or silent during the TCP handshake
  | 'tls' // the handshake failed
  | 'tls-name' // the certificate is for another name
  | 'ca' // signed by somebody who is not believed, expired, or the caBundle is not PEM
  | 'head' // the server takes no request head of that size
  | 'busy' // our own bound for this server
  | 'silent' // connected, but no answer in time
  | 'reset' // the connection ended before an answer
  | 'protocol'; // the answer is no HTTP

/** Ends a probe that got no response in time: the process that was asked may be frozen. */
export class ProbeTimeout extends Error {
  override readonly name = 'ProbeTimeout';

  constructor() {
    super('the probe took too long');
  }
}

/** No answer came from a server; the message says why in words. */
export class BackendFailure extends Error {
  override readonly name = 'BackendFailure';
  readonly hop: FailureHop;
  /** False when the server certainly did nothing. */
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
