import type { RequestHeaders } from './request-headers.ts';

/** Upstream's threshold: compressing a smaller body costs more than it saves. */
const THRESHOLD_BYTES = 128 * 1024;

/** Whether a response of this size is compressed. The size is checked first, because most responses are small. */
export function wantsGzip(headers: RequestHeaders, bodyBytes: number): boolean {
  return bodyBytes > THRESHOLD_BYTES && acceptsGzip(headers.get('accept-encoding') ?? '');
}

/** As upstream, only the bare token counts: `gzip;q=1` and `*` get uncompressed responses. */
export function acceptsGzip(header: string): boolean {
  return header.split(',').some((token) => token.trim() === 'gzip');
}
