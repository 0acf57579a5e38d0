import { createTransport } from '@tributary/client';
import { objectOf } from '../unverified-token.ts';

interface FetchOptions {
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 10_000;
const BYTES_MAX = 1024 * 1024;

/** A small document of an issuer. Each fetch opens its own connection, because fetches are rare. */
export async function fetchJson(
  address: string,
  { ca, signal }: FetchOptions,
): Promise<Record<string, unknown>> {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:') throw new Error(`${address}: must be an https URL`);
  const trust = ca === undefined ? {} : { ca: { pem: ca } };
  const config = { server: url.origin, identity: {}, namespace: '', ...trust };
  await using transport = createTransport(config, {
    connectTimeoutMs: TIMEOUT_MS,
    headersTimeoutMs: TIMEOUT_MS,
    bodyTimeoutMs: TIMEOUT_MS,
    responseBytesMax: BYTES_MAX,
  });
  const all = AbortSignal.any([signal, AbortSignal.timeout(2 * TIMEOUT_MS)]);
  const path = `${url.pathname}${url.search}`;
  const { body } = await transport.request('GET', path, { signal: all, retriesMax: 0 });
  const document = objectOf(body);
  if (document === undefined) throw new Error(`${address}: the response is no JSON object`);
  return document;
}
