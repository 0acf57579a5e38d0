import { TransportError } from '@tributary/client';
import { BROKEN_CONNECTION, ResponseSyntaxError } from '@tributary/client/connections';
import { hostOf, type Location } from './location.ts';

/** Go's words for Node's codes. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'i/o timeout',
};

/** The reason of a failed exchange in the words of Go, which people search for. */
export function dialErrorText(error: unknown, location: Location): string {
  const cause = error instanceof TransportError ? (error.cause ?? error) : error;
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ECONNRESET') return 'EOF';
  // Words of Go's transport already.
  if (cause instanceof ResponseSyntaxError) return `${BROKEN_CONNECTION}: ${message}`;
  const words = code === undefined ? undefined : WORDS[code];
  return words === undefined ? message : `dial tcp ${hostOf(location)}: ${words}`;
}
