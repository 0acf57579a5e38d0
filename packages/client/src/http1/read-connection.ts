import type { Socket } from 'node:net';
import { ChunkQueue } from '../bytes/chunk-queue.ts';
import { CHUNKS_BEFORE_PAUSE, SMALL_CHUNK_BYTES } from '../bytes/coalesce-chunks.ts';
import { asError } from '../http/connection-owner.ts';
import type { Exchange, HeaderList, HttpRequest, RequestBody } from '../http/exchange.ts';
import { interimResponses } from '../http/interim-responses.ts';
import { transportError } from '../http/transport-error.ts';
import { type AnswerHead, ResponseSyntaxError } from './http1-head.ts';
import { AnswerReader } from './http1-reader.ts';

/** The request that is under way, and what has come of its answer. */
interface UnderWay {
  readonly request: HttpRequest<RequestBody>;
  readonly answer: PromiseWithResolvers<Exchange>;
  readonly body: ChunkQueue;
  readonly interim: ReturnType<typeof interimResponses>;
  readonly onAbort: () => void;
  head: AnswerHead | undefined;
  isAnswered: boolean;
  trailers: HeaderList;
}

/**
 * A kept connection of HTTP/1.1 for requests without a body, one at a time. Next to nothing stands between the socket and
 * the answer: a read costs a fraction of what it costs with Node's own clients.
 */
export class ReadConnection {
  readonly #socket: Socket;
  readonly #authority: string;
  readonly #onFree: (connection: ReadConnection) => void;
  readonly #reader: AnswerReader;
  #underWay: UnderWay | undefined;
  #problem: Error | undefined;
  #hasServed = false;
  #isLeaving = false;
  /** Nobody wants more of the body at the moment. */
  #isStopped = false;
  /** Small pieces of a body that came in this turn of the event loop. */
  #pieces = 0;
  /** When it became free. */
  freeSinceMs = 0;

  constructor(
    socket: Socket,
    {
      authority,
      onFree,
      onClose,
    }: {
      readonly authority: string;
      /** It may take another request. */
      readonly onFree: (connection: ReadConnection) => void;
      readonly onClose: (connection: ReadConnection) => void;
    },
  ) {
    this.#socket = socket;
    this.#authority = authority;
    this.#onFree = onFree;
    this.#reader = new AnswerReader({
      onHead: (head) => this.#takeHead(head),
      onBytes: (bytes) => this.#take(bytes),
      onEnd: (trailers) => this.#complete(trailers),
    });
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.on('error', (error) => {
      this.#problem ??= error;
    });
    socket.once('end', () => this.#reader.end());
    socket.once('close', () => {
      this.#fail(this.#problem ?? closed());
      onClose(this);
    });
    socket.unref(); // while it is idle it keeps no process alive
  }

  get isFree(): boolean {
    return this.#underWay === undefined && !this.#isLeaving && this.#socket.writable;
  }

  get isIdle(): boolean {
    return this.#underWay === undefined;
  }

  /** There was an answer on it. */
  get hasServed(): boolean {
    return this.#hasServed;
  }

  /** Only while it is free. */
  open(request: HttpRequest<RequestBody>): Promise<Exchange> {
    const { method, signal } = request;
    if (signal.aborted) return Promise.reject(signal.reason);
    const socket = this.#socket;
    const destroy = (): void => void socket.destroy();
    const underWay: UnderWay = {
      request,
      answer: Promise.withResolvers(),
      body: new ChunkQueue({
        stop: () => {
          this.#isStopped = true;
          socket.pause();
        },
        go: () => {
          this.#isStopped = false;
          this.#readOn();
        },
        leave: destroy,
      }),
      interim: interimResponses(request.onInterim),
      onAbort: destroy,
      head: undefined,
      isAnswered: false,
      trailers: [],
    };
    this.#underWay = underWay;
    signal.addEventListener('abort', destroy);
    this.#reader.expect(method);
    socket.ref();
    socket.write(requestHead(request, this.#authority), 'latin1');
    return underWay.answer.promise;
  }

  /** It ends with what is under way. */
  retire(): void {
    this.#isLeaving = true;
    if (this.isIdle) this.#socket.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    const underWay = this.#underWay;
    try {
      this.#reader.push(bytes);
    } catch (error) {
      this.#problem ??= asError(error);
      this.#socket.destroy();
    }
    // Only now: an answer that came in one piece is given on in one.
    if (underWay?.head !== undefined && !underWay.isAnswered) this.#answer(underWay, underWay.head);
  }

  #take(bytes: Uint8Array): void {
    this.#underWay?.body.take(bytes);
    if (bytes.length >= SMALL_CHUNK_BYTES) return;
    this.#pieces += 1;
    if (this.#pieces === 1) setImmediate(() => this.#endTurn());
    // Others get their turn before more of it is read.
    if (this.#pieces === CHUNKS_BEFORE_PAUSE) this.#socket.pause();
  }

  #endTurn(): void {
    this.#pieces = 0;
    this.#readOn();
  }

  #readOn(): void {
    const isResting = this.#pieces >= CHUNKS_BEFORE_PAUSE;
    if (!this.#isStopped && !isResting && this.#socket.isPaused()) this.#socket.resume();
  }

  #takeHead(head: AnswerHead): void {
    const underWay = this.#underWay;
    if (underWay === undefined) return;
    const { status, headers } = head;
    if (status === 101) throw new ResponseSyntaxError('the server changed the protocol unasked');
    this.#hasServed = true;
    if (status >= 200) underWay.head = head;
    else underWay.interim(status, headers);
  }

  #answer(underWay: UnderWay, { status, headers }: AnswerHead): void {
    underWay.isAnswered = true;
    const { body, onAbort } = underWay;
    const { whole } = body;
    underWay.answer.resolve({
      status,
      rawHeaders: headers,
      httpVersion: '1.1',
      body,
      ...(whole !== undefined && { whole }),
      trailers: () => underWay.trailers,
      cancel: () => {
        if (this.#underWay === underWay) onAbort();
      },
    });
  }

  #complete(trailers: HeaderList): void {
    const underWay = this.#underWay;
    if (underWay === undefined) return;
    underWay.trailers = trailers;
    this.#leave(underWay);
    underWay.body.finish(undefined);
    if (underWay.head?.keeps !== true || this.#isLeaving) this.#socket.destroy();
    else {
      this.#socket.unref();
      this.#isStopped = false;
      this.#readOn();
      this.#onFree(this);
    }
  }

  #fail(cause: Error): void {
    const underWay = this.#underWay;
    if (underWay === undefined) return;
    this.#leave(underWay);
    const { request, answer, body, head } = underWay;
    const { signal, subject } = request;
    // It was there before the request, so the server may have closed it before it knew of any.
    const reusedConnection = head === undefined && !(cause instanceof ResponseSyntaxError);
    const stage = { maybeProcessed: true, reusedConnection };
    const about = head === undefined ? subject : `${subject}: the answer was cut short`;
    const problem = signal.aborted ? signal.reason : transportError(about, cause, stage);
    if (head === undefined) answer.reject(problem);
    else body.finish(problem);
  }

  #leave({ request, onAbort, head }: UnderWay): void {
    this.#underWay = undefined;
    request.signal.removeEventListener('abort', onAbort);
    if (head !== undefined) request.onEnd?.(); // whoever gets no answer is told by that
  }
}

function requestHead(
  { method, path, headers }: HttpRequest<RequestBody>,
  authority: string,
): string {
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${authority}\r\n`;
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
  return `${head}\r\n`;
}

function closed(): Error {
  return Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' });
}
