import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { coalesceChunks } from '../bytes/coalesce-chunks.ts';
import { StreamChunks } from '../bytes/stream-chunks.ts';
import {
  type Exchange,
  type HttpRequest,
  hasHeader,
  headerList,
  type RequestBody,
} from '../http/exchange.ts';
import { limitInterimResponses } from '../http/interim-responses.ts';
import { sendBody } from '../http/request-body.ts';
import { transportError } from '../http/transport-error.ts';
import { syntaxErrorOf, transferEncodingError } from './response-syntax-error.ts';

/** Node adds no headers of its own. */
export function requestOptions(
  request: HttpRequest<RequestBody>,
  authority: string,
): Pick<RequestOptions, 'method' | 'path' | 'headers' | 'setDefaultHeaders'> {
  return {
    method: request.method,
    path: request.path,
    headers: headersOf(request, authority) as never, // pairs, which the types do not know
    setDefaultHeaders: false,
  };
}

/** Sends the body of a request whose head is being sent, and waits for the head of the response. */
export function exchangeOver(
  outgoing: ClientRequest,
  request: HttpRequest<RequestBody>,
): Promise<Exchange> {
  const { signal, subject, body, onEnd, onInterim } = request;
  outgoing.maxHeadersCount = 0; // their bytes are limited, and Node drops headers without an error
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    let incoming: IncomingMessage | undefined;
    const keepFirst = (error: Error): void => {
      failure ??= syntaxErrorOf(error);
    };
    const cancel = (): void => void outgoing.destroy();
    const end = (): void => {
      signal.removeEventListener('abort', abort);
      onEnd?.();
    };
    // A request without a connection closes only when it gets one, which may be never.
    let isGivenUp = false;
    const abort = (): void => {
      cancel();
      if (incoming !== undefined) return;
      isGivenUp = true;
      end();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort);
    outgoing.on('error', keepFirst);
    limitInterimResponses(outgoing, onInterim);
    outgoing.once('response', (message) => {
      const rawHeaders = headerList(message.rawHeaders);
      failure = transferEncodingError(rawHeaders);
      if (failure !== undefined) {
        outgoing.destroy();
        return;
      }
      incoming = message;
      coalesceChunks(message, () => pauseUntilNextTurn(message.socket));
      message.on('error', keepFirst);
      const problem = (): Error | undefined => cutShort(message, request, failure);
      resolve({
        status: message.statusCode ?? 0,
        rawHeaders,
        httpVersion: '1.1',
        body: new StreamChunks({ stream: message, problem, cancel: cancel }),
        trailers: () => headerList(message.rawTrailers),
        cancel,
      });
    });
    outgoing.once('close', () => {
      if (isGivenUp) return;
      end();
      if (incoming !== undefined) return;
      const maybeProcessed = outgoing.socket?.connecting === false;
      const reusedConnection = outgoing.reusedSocket;
      reject(transportError(subject, failure, { maybeProcessed, reusedConnection }));
    });
    if (body === undefined || body instanceof Uint8Array) outgoing.end(body);
    else {
      sendBody(body, outgoing, (problem) => {
        failure = problem;
        outgoing.destroy();
      });
    }
  });
}

/** Continues reading in the next turn of the event loop. A reader that needs more may end the pause earlier. */
function pauseUntilNextTurn(socket: Socket): void {
  socket.pause();
  setImmediate(() => void socket.resume());
}

function headersOf(
  { headers, body }: HttpRequest<RequestBody>,
  authority: string,
): (readonly [string, string])[] {
  const lines: (readonly [string, string])[] = [['host', authority], ...headers];
  if (body === undefined || hasHeader(headers, 'content-length')) return lines;
  if (body instanceof Uint8Array) lines.push(['content-length', String(body.length)]);
  else lines.push(['transfer-encoding', 'chunked']);
  return lines;
}

function cutShort(
  message: IncomingMessage,
  { signal, subject }: HttpRequest<RequestBody>,
  cause: Error | undefined,
): Error | undefined {
  if (signal.aborted) return signal.reason;
  if (message.readableEnded && message.complete) return undefined;
  return transportError(`${subject}: the response was cut short`, cause ?? new Error('closed'), {
    maybeProcessed: true,
    reusedConnection: false,
  });
}
