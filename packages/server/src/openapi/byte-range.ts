/** Ranges of a document, for clients that resume a download. */
import { acceptsGzip } from '../request/accepts-gzip.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import type { Validators } from './conditional.ts';

interface ByteRange {
  readonly start: number;
  /** The offset after the last byte. */
  readonly end: number;
}

/**
 * The requested range of a document of `length` bytes; undefined is the whole. As HTTP allows, everything but one plain
 * range inside the document gets the whole, and so does a client that accepts compression: its offsets would be those
 * of other bytes.
 */
export function byteRange(
  { headers }: ApiRequest,
  length: number,
  validators: Validators,
): ByteRange | undefined {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(headers.get('range') ?? '');
  if (asked === null || acceptsGzip(headers.get('accept-encoding') ?? '')) return undefined;
  if (!stillTheSame(headers.get('if-range'), validators)) return undefined;
  const [, first = '', last = ''] = asked;
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? length : Math.min(Number(last) + 1, length);
  return start < end ? { start, end } : undefined;
}

/** A range of another document would be appended to the client's part of this one. */
function stillTheSame(condition: string | undefined, { tag, modifiedMs }: Validators): boolean {
  if (condition === undefined || condition === tag) return true;
  return Date.parse(condition) === Math.floor(modifiedMs / 1000) * 1000;
}
