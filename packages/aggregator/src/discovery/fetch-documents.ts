/** Fetches the discovery documents of a backend. */
import { formatGroupVersion, type GroupVersion } from '@tributary/apimachinery';
import type { Clock } from '@tributary/client';
import { aggregatorHeaders, type Backend, type BackendResponse } from '@tributary/proxy';
import type { APIResource } from '@tributary/server/discovery';
import { decodeAggregated, type VersionResources } from './aggregated-document.ts';
import { documentBounds, MalformedDocument } from './document-bounds.ts';
import { decodeLegacy } from './legacy-document.ts';

/** For the whole response, as upstream. */
export const EXCHANGE_TIMEOUT_MS = 5_000;

export interface DiscoveryClient {
  readonly backend: Backend;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export type AggregatedResult =
  | {
      readonly outcome: 'document';
      readonly versions: VersionResources;
      readonly etag: string | undefined;
    }
  /** Nothing has changed since the document with that ETag. */
  | { readonly outcome: 'unchanged' }
  /** The backend has no such document. */
  | { readonly outcome: 'unknown' };

/** A backend was reached but its discovery document was not fetched; the message is the reason. */
export class NoDiscovery extends Error {
  override readonly name = 'NoDiscovery';
}

/** The newer form first: backends with client-go up to 1.29 have only the other. */
const VERSIONS = ['v2', 'v2beta1'];
const ACCEPT_AGGREGATED = VERSIONS.map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
).join(',');

/** Upstream's identities: privileged for the whole document, an ordinary user for a single version. */
const PRIVILEGED = aggregatorHeaders;
const ORDINARY = aggregatorHeaders.slice(0, 1);

/** `/apis` in the aggregated form. */
export async function fetchAggregated(
  client: DiscoveryClient,
  etag: string | undefined,
): Promise<AggregatedResult> {
  const headers = [
    ['accept', ACCEPT_AGGREGATED] as const,
    ...PRIVILEGED,
    ...(etag === undefined ? [] : [['if-none-match', etag] as const]),
  ];
  return exchange(client, { path: '/apis', headers }, async (response) => {
    if (response.status === 304 && etag !== undefined) return { outcome: 'unchanged' };
    if (response.status === 503) throw new NoDiscovery('/apis was answered 503');
    if (response.status !== 200 || !isAggregated(headerOf(response, 'content-type'))) {
      return { outcome: 'unknown' };
    }
    const versions = await decodeAggregated(await readBody(response, '/apis'));
    return { outcome: 'document', versions, etag: tagOf(headerOf(response, 'etag')) };
  });
}

/** `/apis/G/V`, which every backend has. */
export async function fetchLegacy(
  client: DiscoveryClient,
  groupVersion: GroupVersion,
): Promise<readonly APIResource[]> {
  const path = `/apis/${formatGroupVersion(groupVersion)}`;
  const headers = [['accept', 'application/json'] as const, ...ORDINARY];
  return exchange(client, { path, headers }, async (response) => {
    if (response.status !== 200) throw new NoDiscovery(`${path} was answered ${response.status}`);
    return decodeLegacy(await readBody(response, path));
  });
}

/** One request, its response read by `use`; both end at the timeout. */
async function exchange<T>(
  { backend, clock, signal }: DiscoveryClient,
  { path, headers }: { path: string; headers: BackendResponse['headers'] },
  use: (response: BackendResponse) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const cancelTimer = clock.schedule(EXCHANGE_TIMEOUT_MS, () => {
    timeout.abort(new NoDiscovery(`${path} was not answered within ${EXCHANGE_TIMEOUT_MS} ms`));
  });
  const ends = AbortSignal.any([signal, timeout.signal]);
  try {
    const request = { method: 'GET', path, headers, body: undefined, signal: ends } as const;
    // Without a limit: a backend that is busy with watches is still polled.
    const response = await backend.send({ ...request, use: 'probe' });
    try {
      return await use(response);
    } catch (error) {
      if (error instanceof MalformedDocument) error.message = `${path}: ${error.message}`;
      throw error;
    } finally {
      response.cancel(); // ends an unread body; harmless after a read one
    }
  } catch (error) {
    throw ends.aborted ? ends.reason : error;
  } finally {
    cancelTimer();
  }
}

async function readBody({ body }: BackendResponse, path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > documentBounds.bytes) {
      throw new NoDiscovery(`${path} was answered with more than ${documentBounds.bytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function headerOf({ headers }: BackendResponse, name: string): string {
  return headers.find(([candidate]) => candidate === name)?.[1] ?? '';
}

/** Only the media type of the response counts, not the accepted one. */
function isAggregated(contentType: string): boolean {
  const [mediaType = '', ...rest] = contentType.split(';').map((part) => part.trim());
  const parameters = new Map(rest.map((part) => cut(part)));
  return (
    mediaType.toLowerCase() === 'application/json' &&
    parameters.get('g') === 'apidiscovery.k8s.io' &&
    VERSIONS.includes(parameters.get('v') ?? '') &&
    parameters.get('as') === 'APIGroupDiscoveryList'
  );
}

function cut(parameter: string): [string, string] {
  const equals = parameter.indexOf('=');
  return equals === -1
    ? [parameter, '']
    : [parameter.slice(0, equals).trim(), parameter.slice(equals + 1).trim()];
}

/** A valid ETag is sent back unchanged. */
function tagOf(header: string): string | undefined {
  return /^[\x21-\x7e]{1,1024}$/.test(header) ? header : undefined;
}
