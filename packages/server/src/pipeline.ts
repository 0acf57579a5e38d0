import type { Duplex, Readable } from 'node:stream';
import type { KubeObject, Status, StatusError } from '@tributary/apimachinery';
import type { Cancellation } from './cancellation.ts';
import type { RequestContext } from './filters/request-context.ts';
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
  readonly retire?: () => void;
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
  readonly inform?: (code: number, headers: HeaderList) => void;
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
        readonly sharedAs?: object;
        /** Another server's: its content is not ours to write down. */
        readonly isPassedOn?: true;
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
        readonly kind: 'passed-on';
        readonly code: number;
        readonly chunks: AsyncIterable<Uint8Array>;
        /** What follows the body; asked once after the last chunk. */
        readonly trailers?: () => HeaderList;
      }
    | {
        readonly kind: 'upgrade';
        readonly connect: (socket: Duplex) => Promise<void>;
        /** The client has no connection to give: what it is told instead. */
        readonly refused?: () => StatusError;
      }
  );

/** Without a promise where the answer is there already: most reads are, and every wait costs. */
export type Answer = ApiResponse | Promise<ApiResponse>;

export type Handler = (request: ApiRequest) => Answer;
export type Filter = (next: Handler) => Handler;

/** Outermost filter first: reading down is the order in which a request meets them. */
export function buildHandlerChain(endpoint: Handler, filters: readonly Filter[]): Handler {
  return filters.reduceRight((next, filter) => filter(next), endpoint);
}
