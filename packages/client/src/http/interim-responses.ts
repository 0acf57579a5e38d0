import type { ClientRequest } from 'node:http';
import { asError } from './connection-owner.ts';
import { type HeaderList, type HttpRequest, headerList } from './exchange.ts';

/**
 * The maximum of interim responses to one request, and of the bytes of their headers. A server that sends more floods
 * its clients.
 */
const INTERIM_MAX = 100;
const INTERIM_BYTES_MAX = 64 * 1024;

/** The server sent too many interim responses. The message is Go's. */
export class TooManyInterimResponsesError extends Error {
  override readonly name = 'TooManyInterimResponsesError';
  readonly code = 'HPE_INVALID';

  constructor() {
    super('net/http: too many 1xx informational responses');
  }
}

/** Forwards the interim responses to one request, never 100 and 101. Throws when there are too many. */
export function interimResponses(
  onInterim: HttpRequest['onInterim'],
): (status: number, headers: HeaderList) => void {
  let count = 0;
  let bytes = 0;
  return (status, headers) => {
    count += 1;
    for (const [name, value] of headers) bytes += name.length + value.length;
    if (count > INTERIM_MAX || bytes > INTERIM_BYTES_MAX) throw new TooManyInterimResponsesError();
    if (status > 101) onInterim?.(status, headers);
  };
}

/** The same for a request of Node's client, which ends with the error. */
export function limitInterimResponses(
  outgoing: ClientRequest,
  onInterim?: HttpRequest['onInterim'],
): void {
  const interim = interimResponses(onInterim);
  outgoing.on('information', ({ statusCode, rawHeaders }) => {
    try {
      interim(statusCode, headerList(rawHeaders));
    } catch (error) {
      outgoing.destroy(asError(error));
    }
  });
}
