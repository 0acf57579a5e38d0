/** Parts of a document, for clients that go on where a download broke off. */
import { acceptsGzip } from '../request/accepts-gzip.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import type { Validators } from './conditional.ts';

export interface ByteRange {
  readonly start: number;
  /** The first byte that is not in it. */
  readonly end: number;
}

/**
 * What part of a document of `length` bytes is meant; undefined is all of it. As HTTP allows, everything but one
 * plain range inside the document is answered with the whole, and so is a client that may get the document
 * compressed: its positions would be those of other bytes.
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

/** A part of another document would be put behind a part of this one. */
function stillTheSame(condition: string | undefined, { tag, modifiedMs }: Validators): boolean {
  if (condition === undefined || condition === tag) return true;
  return Date.parse(condition) === Math.floor(modifiedMs / 1000) * 1000;
}
