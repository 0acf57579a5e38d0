import type { Duplex, Readable } from 'node:stream';
import type { KubeObject, Status, StatusError } from '@tributary/apimachinery';
import type { Cancellation } from './cancellation.ts';

import type { RequestHeaders } from './request-headers.ts';
import type { RequestInfo } from './request-info.ts';
import type { Warnings } from './warnings.ts';

export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Properties of the connection, before authentication. */
export interface Peer {
  readonly address: string;
  /** The client's certificate in DER, as sent, not verified. */
  readonly certificate: Uint8Array | undefined;
  /** HTTP/2 only: sends GOAWAY, so that the connection finishes its requests and accepts no more. */
  readonly goAway?: () => void;
}

/** One request. Filters create it and set its fields; handlers only read it. */
export interface ApiRequest {
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  /** Path and query as sent, for logs. */
  readonly target?: string;
  readonly query: URLSearchParams;
  readonly headers: RequestHeaders;
  readonly peer: Peer;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  /** Warning headers of the response; filters and handlers add to them. */
  readonly warnings: Warnings;
  /** Its signal fires on disconnect and deadline. */
  readonly cancellation: Cancellation;
  /** State of the filters; absent when a handler is called without them. */
  readonly context?: RequestContext;
  /** The whole body; rejects with 413 beyond the server's bound. */
  body(): Promise<Uint8Array>;
  /** The body as a stream, for proxying: no bound, and a slow reader slows the client. Used instead of `body`. */
  bodyStream(): Readable;
  /** Sends an informational response, such as 103. Absent where the protocol has none. */
  readonly sendInformational?: (code: number, headers: HeaderList) => void;
}

export type HeaderList = readonly (readonly [name: string, value: string])[];

interface WithHeaders {
  readonly headers?: HeaderList;
}

export type ApiResponse = WithHeaders &
  (
    | {
        readonly kind: 'object';
        readonly code: number;
        readonly object: KubeObject | Status | object;
      }
    | {
        readonly kind: 'bytes';
        readonly code: number;
        readonly contentType: string;
        /** Bytes as stored or encoded before, never encoded again. */
        readonly chunks: readonly Uint8Array[];
        /** Identifies bytes that several responses share, so that they are compressed once. */
        readonly compressionKey?: object;
        /** The content is a backend's, so audit does not record it. */
        readonly isProxied?: true;
      }
    | {
        readonly kind: 'stream';
        readonly contentType: string;
        readonly chunks: AsyncIterable<Uint8Array>;
      }
    | {
        /**
         * A backend's response as it arrives; its type and length are among the headers. When the backend fails in the
         * middle, the client's connection is closed, so that a partial response is not taken for a complete one.
         */
        readonly kind: 'proxied';
        readonly code: number;
        readonly chunks: AsyncIterable<Uint8Array>;
        /** Trailers; called once after the last chunk. */
        readonly trailers?: () => HeaderList;
      }
    | {
        readonly kind: 'upgrade';
        readonly connect: (socket: Duplex) => Promise<void>;
        /** The error for a connection that cannot be upgraded. */
        readonly onRefused?: () => StatusError;
      }
  );

/** Not a promise where the response is available at once, as for most reads: every await costs. */
export type HandlerResult = ApiResponse | Promise<ApiResponse>;

export type Handler = (request: ApiRequest) => HandlerResult;
export type Filter = (next: Handler) => Handler;

/** Outermost filter first: reading down is the order in which a request meets them. */
export function buildHandlerChain(endpoint: Handler, filters: readonly Filter[]): Handler {
  return filters.reduceRight((next, filter) => filter(next), endpoint);
}

/** The audit event of a request, as handlers and filters add to it. */
export interface RequestAudit {
  /** Adds an annotation; an existing key keeps its value. */
  annotate(key: string, value: string): void;
  /** `constraint` is the verb of the mode that allowed the impersonation; the oldest mode has none. */
  impersonate(user: UserInfo, constraint?: string): void;
  /** Replaces the request body by the decoded object, with its kind and its defaults. */
  requestObject(object: object): void;
}

/** State that the filters of a request share; created by the outermost filter. */
export interface RequestContext {
  /** Follows the request across servers. */
  readonly auditId: string;
  /** When the request arrived, in milliseconds since 1970. */
  readonly receivedMs: number;
  /** Time in queues, such as of flow control, which does not count as latency of the server. */
  waitedMs: number;
  /** Absent when the audit policy logs nothing of the request. */
  audit: RequestAudit | undefined;
  /** Annotations set before the audit event exists. */
  auditAnnotations: Readonly<Record<string, string>> | undefined;
  /** Called once when the response has been sent, or never will be. Few requests have any. */
  endListeners: (() => void)[] | undefined;
  /** Headers of every response, whichever handler or filter creates it. */
  responseHeaders: HeaderList | undefined;
  /** Releases the request's seat before its end; absent when it has none. */
  releaseSeat: (() => void) | undefined;
}
