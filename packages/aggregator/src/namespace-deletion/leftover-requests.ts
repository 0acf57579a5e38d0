/** Requests to another server for the deletion of objects of a namespace. Every response has a bound. */
import { plainError, type StatusError } from '@tributary/apimachinery';
import { type Clock, type ResourceType, resourcePath } from '@tributary/client';
import { aggregatorHeaders, type Backend, type BackendResponse } from '@tributary/proxy';

export interface RemoteClient {
  readonly backend: Backend;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** An object's metadata, without its content. */
export interface Leftover {
  readonly name: string;
  readonly uid: string | undefined;
  readonly creationMs: number | undefined;
  readonly isDeleted: boolean;
  readonly finalizers: readonly string[];
}

export interface LeftoverPage {
  readonly items: readonly Leftover[];
  readonly continue: string | undefined;
  /** How far the server's clock is ahead of ours; 0 when they are about the same. */
  readonly skewMs: number;
}

export interface PlacedResource {
  readonly resource: ResourceType;
  readonly namespace: string;
}

/** For a whole answer. */
const EXCHANGE_MS_MAX = 10_000;
const SKEW_MS_MIN = 3_000;
/** Of what a server says of a failure. */
const WORDS_BYTES_MAX = 4096;
/**
 * Less is asked for at once where an answer is larger than it may be: it is parsed in one go, and nothing else happens
 * here meanwhile. One object alone may be as large as any server lets it be.
 */
const PAGES = [
  { limit: 250, bytesMax: 1024 * 1024 },
  { limit: 25, bytesMax: 1024 * 1024 },
  { limit: 1, bytesMax: 4 * 1024 * 1024 },
];
const ACCEPT = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
/** As probes are sent: every server that believes us lets this one do everything. */
const IDENTITY = [...aggregatorHeaders, ['user-agent', 'kube-aggregator']] as const;

/** A page of what is there. A resource that the server does not have is an empty one. */
export async function listLeftovers(
  client: RemoteClient,
  { resource, namespace }: PlacedResource,
  after: string | undefined,
): Promise<LeftoverPage> {
  for (const { limit, bytesMax } of PAGES) {
    const query = new URLSearchParams({ limit: String(limit) });
    if (after !== undefined) query.set('continue', after);
    const path = `${resourcePath(resource, { namespace })}?${query}`;
    const sentMs = client.clock.nowMs();
    const page = await exchange(client, { method: 'GET', path }, (response) =>
      readPage(response, { path, bytesMax, sentMs, receivedMs: client.clock.nowMs() }),
    );
    if (page !== 'too-large') return page;
  }
  throw new Error(`${resourcePath(resource, { namespace })}: the answer is larger than it may be`);
}

/** Only this very object: another of the same name stays. Missing is as good as deleted. */
export async function deleteLeftover(
  client: RemoteClient,
  { resource, namespace }: PlacedResource,
  { name, uid }: Leftover,
): Promise<void> {
  const path = resourcePath(resource, { namespace, name });
  const options = {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: 'Background',
    ...(uid !== undefined && { preconditions: { uid } }),
  };
  const body = Buffer.from(JSON.stringify(options));
  await exchange(client, { method: 'DELETE', path, body }, async (response) => {
    if (response.status === 404 || response.status === 409) return;
    if (response.status < 200 || response.status > 299) throw await errorOf(response, path);
  });
}

async function readPage(
  response: BackendResponse,
  { path, bytesMax, ...times }: { path: string; bytesMax: number } & ExchangeTimes,
): Promise<LeftoverPage | 'too-large'> {
  const { status, headers } = response;
  const skewMs = clockSkewMs(headers.find(([name]) => name === 'date')?.[1], times);
  if (status === 404 || status === 405) return { items: [], continue: undefined, skewMs };
  if (status !== 200) throw await errorOf(response, path);
  const bytes = await readBody(response, bytesMax);
  if (bytes === undefined) return 'too-large';
  const document = parsed(bytes);
  // An answer that is no list says nothing about what is there.
  if (!isRecord(document) || !`${document.kind}`.endsWith('List')) throw noList(path);
  const { metadata, items } = document;
  if (!Array.isArray(items ?? [])) throw noList(path);
  const token = isRecord(metadata) ? metadata.continue : undefined;
  return {
    items: ((items ?? []) as unknown[]).map((item) => leftoverOf(item, path)),
    continue: typeof token === 'string' && token !== '' ? token : undefined,
    skewMs,
  };
}

/** By the clock of this process. */
export interface ExchangeTimes {
  readonly sentMs: number;
  readonly receivedMs: number;
}

/**
 * By the Date header of a response, which was written at any time between the request and its response. It is cut to
 * seconds and may be a second old, so a difference that small is none; of a larger one the upper bound counts, because
 * what is too old by far must not be taken for new.
 */
export function clockSkewMs(
  date: string | undefined,
  { sentMs, receivedMs }: ExchangeTimes,
): number {
  const dateMs = Date.parse(date ?? '');
  if (Number.isNaN(dateMs)) return 0;
  const isSame = dateMs > sentMs - SKEW_MS_MIN && dateMs < receivedMs + SKEW_MS_MIN;
  return isSame ? 0 : dateMs + 1_000 - sentMs;
}

function leftoverOf(item: unknown, path: string): Leftover {
  const metadata = isRecord(item) ? item.metadata : undefined;
  if (!isRecord(metadata) || typeof metadata.name !== 'string') throw noList(path);
  const { name, uid, creationTimestamp, deletionTimestamp, finalizers } = metadata;
  const creationMs = Date.parse(`${creationTimestamp}`);
  return {
    name,
    uid: typeof uid === 'string' && uid !== '' ? uid : undefined,
    creationMs: Number.isNaN(creationMs) ? undefined : creationMs,
    isDeleted: typeof deletionTimestamp === 'string',
    finalizers: Array.isArray(finalizers) ? finalizers.map(String) : [],
  };
}

/** One request, its answer read by `use`; both end with the time that there is. */
async function exchange<T>(
  { backend, clock, signal }: RemoteClient,
  { method, path, body }: { method: string; path: string; body?: Uint8Array },
  use: (response: BackendResponse) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const cancelTimer = clock.schedule(EXCHANGE_MS_MAX, () => {
    const [message] = path.split('?');
    timeout.abort(new Error(`${method} ${message}: no answer within ${EXCHANGE_MS_MAX / 1000} s`));
  });
  const ends = AbortSignal.any([signal, timeout.signal]);
  const content = body && [
    ['content-type', 'application/json'] as const,
    ['content-length', String(body.length)] as const,
  ];
  try {
    const response = await backend.send({
      method,
      path,
      headers: [['accept', ACCEPT], ...IDENTITY, ...(content ?? [])],
      body,
      signal: ends,
      use: 'request',
    });
    try {
      return await use(response);
    } finally {
      response.cancel(); // what was not read; harmless when everything was
    }
  } catch (error) {
    throw ends.aborted ? ends.reason : error;
  } finally {
    cancelTimer();
  }
}

/** Undefined when it is larger. The rest was not read. */
async function readBody(
  { body }: BackendResponse,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** With what the server said, when it said it in a Status. */
async function errorOf(response: BackendResponse, path: string): Promise<StatusError> {
  const { status } = response;
  const bytes = await readBody(response, WORDS_BYTES_MAX);
  const body = bytes && parsed(bytes);
  const message = isRecord(body) && typeof body.message === 'string' ? `: ${body.message}` : '';
  const [place] = path.split('?');
  return plainError(`${place}: answered ${status}${message}`, status);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  } catch {
    return undefined; // no JSON is no list, and no Status either
  }
}

function noList(path: string): Error {
  return new Error(`${path.split('?')[0]}: the answer is no list of objects`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
