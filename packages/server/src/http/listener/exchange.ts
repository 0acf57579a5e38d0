import type { Duplex, Readable } from 'node:stream';
import type { Cancellation } from '../../request/cancellation.ts';
import type { HeaderList, Peer } from '../../request/pipeline.ts';
import type { RequestHeaders } from '../../request/request-headers.ts';

/** One request and its response on a connection, the same for both protocols. */
export interface Exchange {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly peer: Peer;
  /** Aborted when the client disconnects before the response is complete. */
  readonly cancellation: Cancellation;
  /** Whether the header was sent; afterwards an error can only close the connection. */
  readonly started: boolean;

  /** The whole body; rejects with 413 beyond the limit, without reading further. */
  body(bytesMax: number): Promise<Uint8Array>;
  /** The body as a stream, instead. */
  bodyStream(): Readable;

  /** Sends a complete response. */
  respond(code: number, headers: HeaderList, body: Uint8Array): void;
  /** The header of a response whose body follows by `write`. It may be sent together with the first chunk. */
  start(code: number, headers: HeaderList, mayHaveTrailers?: boolean): void;
  /** Sends the header at once, because the body may come much later. */
  flush(): void;
  /**
   * Resolves when the connection takes more; rejects when the client has disconnected. `taken`: the bytes were sent.
   */
  write(chunk: Uint8Array, taken?: () => void): Promise<void> | undefined;
  /** `trailers` follow the body; they are omitted where the response has a length. */
  end(trailers?: HeaderList): void;
  /** Sends an interim response such as 103. It never throws: headers that HTTP does not allow are omitted. */
  inform(code: number, headers: HeaderList): void;
  /** Leaves HTTP and returns the connection itself. Undefined when the client did not request an upgrade. */
  hijack(): Duplex | undefined;
  /** Closes the connection of an incomplete response, so that the client notices the failure. */
  abort(): void;
}

/** Codes of interim responses that may be forwarded: 100 belongs to one connection, and 101 ends HTTP. */
export function isInterim(code: number): boolean {
  return Number.isInteger(code) && code > 101 && code < 200;
}
