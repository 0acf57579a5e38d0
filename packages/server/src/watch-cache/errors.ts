import { type StatusError, tooManyRequests } from '@tributary/apimachinery';

/** The cache is being filled, or its feed has failed. As upstream, the retry delay grows with the duration. */
export function storageInitializing(downMs: number): StatusError {
  const seconds = Math.exp(0.06 * (downMs / 1000));
  return tooManyRequests(
    'storage is (re)initializing',
    Math.floor(Math.min(30, Math.max(1, seconds))),
  );
}

/** The cache of a resource does not fit into the memory bound, and the request needs it. */
export function memoryExhausted(): StatusError {
  return tooManyRequests('the server has no memory left to watch this resource', 10);
}

export function tooManyWatches(): StatusError {
  return tooManyRequests('too many watches, please try again later', 10);
}

/** The feed contradicts the cache: a change was lost, repeated or out of order. */
export class FeedInconsistent extends Error {
  override readonly name = 'FeedInconsistent';
}

/** The cache cannot be filled, because stored objects cannot be converted to this kind. */
export function cannotInitialize(kind: string, { message }: Error): StatusError {
  return tooManyRequests(`storage is (re)initializing: failed to list ${kind}: ${message}`, 1);
}
