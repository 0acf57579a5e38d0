import type { RequestHeaders } from './request-headers.ts';

/** Below this compressing costs more than it saves; upstream draws the same line. */
const THRESHOLD_BYTES = 128 * 1024;

/** Whether an answer of this size goes out compressed; the size is asked first because most are small. */
export function wantsGzip(headers: RequestHeaders, bodyBytes: number): boolean {
  return bodyBytes > THRESHOLD_BYTES && acceptsGzip(headers.get('accept-encoding') ?? '');
}

/** As upstream: the bare token only, so that `gzip;q=1` and `*` are answered uncompressed. */
export function acceptsGzip(header: string): boolean {
  return header.split(',').some((token) => token.trim() === 'gzip');
}
