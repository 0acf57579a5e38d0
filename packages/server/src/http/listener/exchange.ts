import type { Duplex, Readable } from 'node:stream';
import type { Cancellation } from '../../request/cancellation.ts';
import type { HeaderList, Peer } from '../../request/pipeline.ts';
import type { RequestHeaders } from '../../request/request-headers.ts';

/** One request and its answer on a connection, the same for both protocols. */
export interface Exchange {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly peer: Peer;
  /** Cancelled when the client is gone before the answer was complete. */
  readonly cancellation: Cancellation;
  /** Whether the head was sent; afterwards an error can only cut the connection. */
  readonly started: boolean;

  /** The whole body; rejects with 413 beyond the bound, having read no further. */
  body(bytesMax: number): Promise<Uint8Array>;
  /** The body as it comes, instead. */
  bodyStream(): Readable;

  /** A complete answer of one piece. */
  answer(code: number, headers: HeaderList, body: Uint8Array): void;
  /** The head of an answer whose body follows by `write`. It may leave with the first of it. */
  start(code: number, headers: HeaderList, mayHaveTrailers?: boolean): void;
  /** Sends the head at once, when nobody knows how soon a body follows. */
  flush(): void;
  /** Resolves when the connection takes more; rejects when the client is gone. `taken`: the bytes have left. */
  write(chunk: Uint8Array, taken?: () => void): Promise<void> | undefined;
  /** `trailers` follow the body; they are left out where the answer has a length. */
  end(trailers?: HeaderList): void;
  /** An interim response such as 103. It never throws: headers that HTTP cannot carry are left out. */
  inform(code: number, headers: HeaderList): void;
  /** Leaves HTTP: the connection itself, instead of an answer. None when the client did not ask for it. */
  takeOver(): Duplex | undefined;
  /** Cuts an answer that cannot be completed, so that the client sees the failure. */
  abort(): void;
}

/** Codes of interim responses that may be forwarded: 100 is between two connections, and 101 ends HTTP. */
export function isInterim(code: number): boolean {
  return Number.isInteger(code) && code > 101 && code < 200;
}
