/** A request goes on to something that runs in the cluster, and its answer comes back. */
import { type ClientRequest, type IncomingMessage, request as openHttp } from 'node:http';
import { request as openHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { badRequest, type StatusError, serviceUnavailable } from '@tributary/apimachinery';
import { syntaxErrorOf } from '@tributary/client/connections';
import { coalesceChunks, limitInterimResponses } from '@tributary/client/http';
import type { ApiRequest, ApiResponse } from '@tributary/server';
import { AnswerBroken } from '@tributary/server/request';
import { plainFailure } from '../shared/plain-failure.ts';
import { dialErrorText } from './dial-error.ts';
import { answerLines, requestLines } from './forwarded-lines.ts';
import { joinConnections } from './join-connections.ts';
import type { Location } from './location.ts';

/** Whoever does not take a connection within it is not there. */
const CONNECT_MS = 30_000;

export interface ForwardOptions {
  /** Nothing but another protocol is spoken there. */
  readonly upgradeRequired?: boolean;
  /** What a client is told when nobody is reached. */
  readonly unreachable?: (why: string) => StatusError;
}

type Answer =
  | { readonly kind: 'answer'; readonly message: IncomingMessage }
  | {
      readonly kind: 'upgraded';
      readonly message: IncomingMessage;
      readonly socket: Duplex;
      readonly head: Buffer;
    };

export async function forward(
  request: ApiRequest,
  location: Location,
  { upgradeRequired = false, unreachable = notReached }: ForwardOptions = {},
): Promise<ApiResponse> {
  const isUpgrade = isUpgradeRequest(request);
  if (upgradeRequired && !isUpgrade) throw badRequest('Upgrade request required');
  const answer = await ask(request, location, isUpgrade).catch((error: unknown) => {
    request.cancellation.signal.throwIfAborted();
    throw unreachable(dialErrorText(error, location));
  });
  if (answer.kind === 'upgraded') return tunnel(request, answer);
  const { message } = answer;
  const code = message.statusCode ?? 502;
  if (isUpgrade && code < 400) {
    message.destroy();
    throw plainFailure(`invalid upgrade response: status code ${code}`);
  }
  const headers = answerLines(message.rawHeaders, { request, location });
  return { kind: 'passed-on', code, headers, chunks: wholeBody(message) };
}

/** What breaks halfway breaks the client's connection, too: nobody takes a part for the whole. */
async function* wholeBody(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* message;
  } catch (error) {
    throw new AnswerBroken(error);
  }
}

function notReached(why: string): StatusError {
  return serviceUnavailable(`error trying to reach service: ${why}`);
}

/** As upstream, the protocol itself is not looked at: that is between the two. */
function isUpgradeRequest({ headers }: ApiRequest): boolean {
  return headers.all('connection').some((value) => value.toLowerCase().includes('upgrade'));
}

/** Asynchronous from the beginning: Node throws at once for a header or target that it does not write. */
async function ask(request: ApiRequest, location: Location, isUpgrade: boolean): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const outgoing = opened(request, location, isUpgrade);
  const { signal } = request.cancellation;
  const leave = () => outgoing.destroy(signal.reason instanceof Error ? signal.reason : undefined);
  signal.addEventListener('abort', leave, { once: true });
  outgoing.once('close', () => signal.removeEventListener('abort', leave));
  outgoing.on('error', (error) => reject(syntaxErrorOf(error)));
  limitInterimResponses(outgoing);
  outgoing.once('response', (message) => {
    coalesceChunks(message);
    resolve({ kind: 'answer', message });
  });
  outgoing.once('upgrade', (message, socket, head) =>
    resolve({ kind: 'upgraded', message, socket, head }),
  );
  // Only the way there is short of time: what is asked may take as long as it takes.
  outgoing.once('socket', (socket) => {
    const timer = setTimeout(() => {
      outgoing.destroy(Object.assign(new Error('i/o timeout'), { code: 'ETIMEDOUT' }));
    }, CONNECT_MS);
    const stop = () => clearTimeout(timer);
    socket.once(location.scheme === 'https' ? 'secureConnect' : 'connect', stop);
    socket.once('close', stop);
  });
  sendBody(request, outgoing, isUpgrade);
  return promise;
}

function opened(request: ApiRequest, location: Location, isUpgrade: boolean): ClientRequest {
  const { scheme, address, port, target } = location;
  const options = {
    host: address,
    port,
    method: request.method,
    path: target,
    headers: requestLines(request, isUpgrade).flat(),
    agent: false,
    setHost: false,
  };
  // As upstream: who runs in a cluster has certificates that nobody knows.
  return scheme === 'https'
    ? openHttps({ ...options, rejectUnauthorized: false })
    : openHttp(options);
}

function sendBody(request: ApiRequest, outgoing: ClientRequest, isUpgrade: boolean): void {
  const hasBody = !isUpgrade && request.method !== 'GET' && request.method !== 'HEAD';
  if (!hasBody) {
    outgoing.end();
    return;
  }
  const body = request.bodyStream();
  body.once('error', (error) => outgoing.destroy(error));
  body.pipe(outgoing);
}

function tunnel(
  { cancellation }: ApiRequest,
  { message, socket, head }: Answer & { kind: 'upgraded' },
): ApiResponse {
  const lines: string[] = [];
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) {
    lines.push(`${message.rawHeaders[at]}: ${message.rawHeaders[at + 1]}\r\n`);
  }
  const first = `HTTP/1.1 101 ${message.statusMessage ?? 'Switching Protocols'}\r\n`;
  const begin = Buffer.concat([Buffer.from(`${first}${lines.join('')}\r\n`, 'latin1'), head]);
  return {
    kind: 'upgrade',
    connect: (client) => joinConnections(client, socket, begin, cancellation.signal),
    refused: () => {
      socket.destroy();
      return badRequest('Upgrade request required');
    },
  };
}
