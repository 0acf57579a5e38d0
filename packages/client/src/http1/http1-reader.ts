import { GrowingBuffer } from '../bytes/growing-buffer.ts';
import type { HeaderList } from '../http/exchange.ts';
import { type AnswerHead, parseHead, parseLines, ResponseSyntaxError } from './http1-head.ts';

/** As of our own server, for the lines of the answer together. */
const HEAD_BYTES_MAX = 1024 * 1024;
/** Of the line before a piece: its length, and what else a server may say there. */
const SIZE_LINE_BYTES_MAX = 4096;
const SIZE_LINE = /^([0-9a-fA-F]{1,12})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/;
const LINE_END = '\r\n';
const EMPTY_LINE = '\r\n\r\n';

/** Told in the order of the bytes, while they are pushed. */
export interface AnswerListener {
  onHead(head: AnswerHead): void;
  onBytes(bytes: Uint8Array): void;
  /** The answer is complete. */
  onEnd(trailers: HeaderList): void;
}

type Part = 'nothing' | 'head' | 'counted' | 'size' | 'piece' | 'after-piece' | 'trailers' | 'rest';

/** Finds answers in the bytes of one connection, one at a time. Throws an AnswerSyntaxError for what is none. */
export class AnswerReader {
  readonly #listener: AnswerListener;
  #method = '';
  #part: Part = 'nothing';
  /** What belongs to a line that is not there completely … */
  readonly #kept = new GrowingBuffer();
  /** … and how much of it was looked at already. */
  #seen = 0;
  /** Of a body or a piece that was announced. */
  #missing = 0;

  constructor(listener: AnswerListener) {
    this.#listener = listener;
  }

  /** A request with this method was sent. */
  expect(method: string): void {
    this.#method = method;
    this.#part = 'head';
  }

  push(bytes: Buffer): void {
    let left = this.#kept.length === 0 ? bytes : this.#kept.add(bytes);
    while (left.length > 0) {
      const used = this.#step(left);
      if (used === 0) {
        this.#seen = left.length;
        this.#kept.keep(left);
        return;
      }
      left = left.subarray(used);
      this.#seen = 0;
    }
    this.#kept.clear();
  }

  /** The connection ended. True when that is how the answer had to end. */
  end(): boolean {
    if (this.#part !== 'rest') return false;
    this.#finish([]);
    return true;
  }

  /** How many of the bytes are dealt with; none when more of them are needed. */
  #step(bytes: Buffer): number {
    switch (this.#part) {
      case 'nothing':
        throw new ResponseSyntaxError('the server sent something that nobody asked for');
      case 'head':
        return this.#head(bytes);
      case 'counted':
      case 'piece':
        return this.#counted(bytes);
      case 'size':
        return this.#size(bytes);
      case 'after-piece':
        return this.#afterPiece(bytes);
      case 'trailers':
        return this.#trailers(bytes);
      case 'rest':
        this.#listener.onBytes(bytes);
        return bytes.length;
    }
  }

  #head(bytes: Buffer): number {
    const end = this.#find(bytes, EMPTY_LINE);
    if (end < 0 || end > HEAD_BYTES_MAX) return needMore(bytes, HEAD_BYTES_MAX, 'head');
    const head = parseHead(bytes.toString('latin1', 0, end), this.#method);
    const isInterim = head.status < 200;
    if (!isInterim) this.#begin(head);
    this.#listener.onHead(head);
    if (!isInterim && this.#part === 'nothing') this.#listener.onEnd([]);
    return end + 4;
  }

  #begin({ body }: AnswerHead): void {
    if (body === 'close') this.#part = 'rest';
    else if (body === 'chunked') this.#part = 'size';
    else {
      this.#missing = body.bytes;
      this.#part = body.bytes === 0 ? 'nothing' : 'counted';
    }
  }

  #counted(bytes: Buffer): number {
    const used = Math.min(bytes.length, this.#missing);
    this.#missing -= used;
    this.#listener.onBytes(used === bytes.length ? bytes : bytes.subarray(0, used));
    if (this.#missing === 0) {
      if (this.#part === 'piece') this.#part = 'after-piece';
      else this.#finish([]);
    }
    return used;
  }

  #size(bytes: Buffer): number {
    const end = this.#find(bytes, LINE_END);
    if (end < 0) return needMore(bytes, SIZE_LINE_BYTES_MAX, 'length of a piece');
    const [, size] = SIZE_LINE.exec(bytes.toString('latin1', 0, end)) ?? [];
    if (size === undefined)
      throw new ResponseSyntaxError('the answer has a piece without a length');
    this.#missing = Number.parseInt(size, 16);
    this.#part = this.#missing === 0 ? 'trailers' : 'piece';
    return end + 2;
  }

  #afterPiece(bytes: Buffer): number {
    if (bytes.length < 2) return 0;
    if (bytes[0] !== 13 || bytes[1] !== 10) {
      throw new ResponseSyntaxError('the answer has a piece that is longer than it says');
    }
    this.#part = 'size';
    return 2;
  }

  #trailers(bytes: Buffer): number {
    if (bytes.length >= 2 && bytes[0] === 13 && bytes[1] === 10) {
      this.#finish([]);
      return 2;
    }
    const end = this.#find(bytes, EMPTY_LINE);
    if (end < 0) return needMore(bytes, HEAD_BYTES_MAX, 'end');
    this.#finish(parseLines(bytes.toString('latin1', 0, end).split(LINE_END)));
    return end + 4;
  }

  #find(bytes: Buffer, end: string): number {
    return bytes.indexOf(end, Math.max(0, this.#seen - end.length + 1), 'latin1');
  }

  #finish(trailers: HeaderList): void {
    this.#part = 'nothing';
    this.#listener.onEnd(trailers);
  }
}

function needMore(bytes: Buffer, max: number, what: string): 0 {
  if (bytes.length <= max) return 0;
  throw new ResponseSyntaxError(`the ${what} of the answer has more than ${max} bytes`);
}
