import { BROKEN_CONNECTION, ResponseSyntaxError } from '@tributary/client/connections';
import { hostOf, type Location } from './location.ts';

/** What Go calls what Node has a code for. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'i/o timeout',
};

/** Why nobody was reached, in the words of Go, which people look for. */
export function dialErrorText(error: unknown, location: Location): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ECONNRESET') return 'EOF';
  // Words of Go's transport already.
  if (error instanceof ResponseSyntaxError) return `${BROKEN_CONNECTION}: ${message}`;
  const words = code === undefined ? undefined : WORDS[code];
  return words === undefined ? message : `dial tcp ${hostOf(location)}: ${words}`;
}
