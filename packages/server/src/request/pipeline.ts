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

/** What the connection itself proves, before any credential is looked at. */
export interface Peer {
  readonly address: string;
  /** The client's certificate in DER, as sent, not verified. */
  readonly certificate: Uint8Array | undefined;
  /** HTTP/2 only: finishes what is under way and takes no more requests, by GOAWAY. */
  readonly goAway?: () => void;
}

/** One request on its way inwards, made at the edge for it alone: filters write what they found out. */
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
  /** Warning headers of the answer; anybody on the way may add one. */
  readonly warnings: Warnings;
  /** Its signal fires on disconnect and deadline. */
  readonly cancellation: Cancellation;
  /** What the filters know of it beside; absent when a handler is called without them. */
  readonly context?: RequestContext;
  /** The whole body; fails with 413 beyond the server's bound. */
  body(): Promise<Uint8Array>;
  /** The body as it comes, for whoever passes it on: no bound, and a slow reader slows the client. Instead of `body`. */
  bodyStream(): Readable;
  /** Tells the client something before its answer, such as 103. Absent where nobody would hear it. */
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
        /** Bytes as they are stored or were made before, never encoded again. */
        readonly chunks: readonly Uint8Array[];
        /** The same object for the same bytes, when they will be answered again: they are compressed once. */
        readonly compressionKey?: object;
        /** Another server's: its content is not ours to write down. */
        readonly isProxied?: true;
      }
    | {
        readonly kind: 'stream';
        readonly contentType: string;
        readonly chunks: AsyncIterable<Uint8Array>;
      }
    | {
        /**
         * The answer of another server as it comes; its type and length are among the headers. What breaks halfway
         * breaks the client's connection, too, so that nobody takes a part for the whole.
         */
        readonly kind: 'proxied';
        readonly code: number;
        readonly chunks: AsyncIterable<Uint8Array>;
        /** What follows the body; asked once after the last chunk. */
        readonly trailers?: () => HeaderList;
      }
    | {
        readonly kind: 'upgrade';
        readonly connect: (socket: Duplex) => Promise<void>;
        /** The client has no connection to give: what it is told instead. */
        readonly onRefused?: () => StatusError;
      }
  );

/** Without a promise where the answer is there already: most reads are, and every wait costs. */
export type HandlerResult = ApiResponse | Promise<ApiResponse>;

export type Handler = (request: ApiRequest) => HandlerResult;
export type Filter = (next: Handler) => Handler;

/** Outermost filter first: reading down is the order in which a request meets them. */
export function buildHandlerChain(endpoint: Handler, filters: readonly Filter[]): Handler {
  return filters.reduceRight((next, filter) => filter(next), endpoint);
}

/** The audit event of a request, as handlers and filters add to it. */
export interface RequestAudit {
  /** Adds an annotation; a key that was set stays as it is. */
  annotate(key: string, value: string): void;
  /** `constraint` is the verb of the mode that allowed it; the oldest mode has none. */
  impersonate(user: UserInfo, constraint?: string): void;
  /** Replaces the request body by the decoded object, with its kind and its defaults. */
  requestObject(object: object): void;
}

/** What the filters of a request have to tell each other; one object, made by the first of them. */
export interface RequestContext {
  /** Follows the request across servers. */
  readonly auditId: string;
  /** When the request came in, in milliseconds since 1970. */
  readonly receivedMs: number;
  /** Waiting for others, such as in the queue of requests, which is not what the server itself took. */
  waitedMs: number;
  /** Absent when the audit policy logs nothing of the request. */
  audit: RequestAudit | undefined;
  /** Known of the request before anything is written of it. */
  auditAnnotations: Readonly<Record<string, string>> | undefined;
  /** Run once when the last of the answer has left, or will never leave. Few requests have any. */
  endListeners: (() => void)[] | undefined;
  /** What the answer carries in any case, whoever gives it. */
  responseHeaders: HeaderList | undefined;
  /** Gives the seat of the request back before its end; absent when it has none. */
  releaseSeat: (() => void) | undefined;
}
