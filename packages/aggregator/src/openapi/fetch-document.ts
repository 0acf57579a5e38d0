import { createHash } from 'node:crypto';
import type { Clock, HeaderList } from '@tributary/client';
import { remoteUserHeaders } from '@tributary/client/http';
import type { Backend, BackendResponse } from '@tributary/proxy';
import type { ByteBudget } from './byte-budget.ts';

export interface FetchOptions {
  readonly path: string;
  readonly accept: string;
  /** Of the known document. */
  readonly etag: string | undefined;
  readonly bytesMax: number;
  /** For all documents that are read at once. */
  readonly budget: ByteBudget;
  readonly clock: Pick<Clock, 'schedule'>;
  readonly signal: AbortSignal;
}

export type Fetched =
  | {
      readonly kind: 'document';
      readonly bytes: Uint8Array;
      readonly hash: string;
      /** As the backend sent it. */
      readonly etag: string | undefined;
      readonly contentType: string;
    }
  | { readonly kind: 'unchanged' }
  /** The backend has no such document. */
  | { readonly kind: 'missing' }
  /** Not available in the requested form. */
  | { readonly kind: 'not-acceptable' }
  /** Larger than the limit. The rest was not read. */
  | { readonly kind: 'too-large' };

/** For the whole fetch, as upstream, including backends that send slowly. */
export const FETCH_MS_MAX = 60_000;
/** Upstream's user name of document requests. */
const IDENTITY = 'system:aggregator';
/** The length of a backend's error text in an error of this process. */
const EXCERPT_BYTES = 200;

/** Fetches a document, which may be used until `use` resolves. Rejects without a response, or with an invalid one. */
export async function fetchDocument<T>(
  backend: Backend,
  options: FetchOptions,
  use: (fetched: Fetched) => Promise<T>,
): Promise<T> {
  let held = 0;
  const budget: ByteBudget = {
    take(bytes) {
      const taken = options.budget.take(bytes);
      if (taken) held += bytes;
      return taken;
    },
    give: options.budget.give,
  };
  try {
    return await use(await exchange(backend, { ...options, budget }));
  } finally {
    options.budget.give(held);
  }
}

async function exchange(backend: Backend, options: FetchOptions): Promise<Fetched> {
  const deadline = new AbortController();
  const cancelTimer = options.clock.schedule(FETCH_MS_MAX, () => {
    deadline.abort(new Error(`${options.path}: no whole document in ${FETCH_MS_MAX / 1000} s`));
  });
  try {
    const response = await backend.send({
      method: 'GET',
      path: options.path,
      headers: headersOf(options),
      body: undefined,
      signal: AbortSignal.any([options.signal, deadline.signal]),
      use: 'request',
    });
    try {
      return await read(response, options);
    } finally {
      response.cancel();
    }
  } finally {
    cancelTimer();
  }
}

export function headersOf({ accept, etag }: Pick<FetchOptions, 'accept' | 'etag'>): HeaderList {
  return [
    ['accept', accept],
    ...(etag === undefined ? [] : [['if-none-match', etag] as const]),
    [remoteUserHeaders.user, IDENTITY],
  ];
}

async function read(response: BackendResponse, options: FetchOptions): Promise<Fetched> {
  const { status } = response;
  if (status === 304) {
    if (options.etag !== undefined) return { kind: 'unchanged' };
    throw new Error(`${options.path}: answered 304 without having been asked for a change`);
  }
  if (status === 404) return { kind: 'missing' };
  if (status === 406) return { kind: 'not-acceptable' };
  if (status !== 200) {
    const text = await excerpt(response);
    throw new Error(`${options.path}: answered ${status}${text === '' ? '' : `: ${text}`}`);
  }
  const encoding = headerOf(response, 'content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    throw new Error(
      `${options.path}: answered with an encoding that nobody asked for, ${encoding}`,
    );
  }
  return readBody(response, options);
}

/** Hashes chunk by chunk: hashing a large document at once would block the event loop. */
async function readBody(
  response: BackendResponse,
  { path, bytesMax, budget }: FetchOptions,
): Promise<Fetched> {
  const hash = createHash('sha512');
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.length;
    if (length > bytesMax) return { kind: 'too-large' };
    if (!budget.take(chunk.length)) throw new Error(`${path}: too much is read at once, later`);
    hash.update(chunk);
    chunks.push(chunk);
  }
  return {
    kind: 'document',
    bytes: Buffer.concat(chunks, length),
    hash: hash.digest('hex').toUpperCase(),
    etag: headerOf(response, 'etag'),
    contentType: (headerOf(response, 'content-type') ?? '').split(';')[0]?.trim() ?? '',
  };
}

async function excerpt({ body }: BackendResponse): Promise<string> {
  let text = '';
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString();
    if (text.length >= EXCERPT_BYTES) break;
  }
  return text.slice(0, EXCERPT_BYTES).trim();
}

function headerOf({ headers }: BackendResponse, name: string): string | undefined {
  return headers.find(([one]) => one === name)?.[1];
}
