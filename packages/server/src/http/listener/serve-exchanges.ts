import { internalError, parseQuery } from '@tributary/apimachinery';
import { type ConnectionOwner, connectionOwner, ownedBy } from '@tributary/client/http';
import { anonymous } from '../../request/authenticator.ts';
import { ClientDisconnected, IncompleteResponse } from '../../request/connection-errors.ts';
import type { ApiRequest, Handler, HandlerResult } from '../../request/pipeline.ts';
import { Warnings } from '../../request/warnings.ts';
import { openCompressor } from '../compression/compressor.ts';
import { inCohorts } from './cohorts.ts';
import type { Exchange } from './exchange.ts';
import { requestInfoCache } from './request-info-cache.ts';
import { type ResponseContext, sendResponse } from './send-response.ts';
import { Staging } from './staging.ts';

interface EdgeOptions {
  readonly handler: Handler;
  readonly bodyBytesMax: number;
  readonly reportBug: (error: unknown) => void;
}

/** An exchange, its request, and its response once a handler has returned one. */
interface Pending {
  readonly exchange: Exchange;
  /** Undefined for in-process requests. */
  readonly owner: ConnectionOwner | undefined;
  request?: ApiRequest;
  response?: HandlerResult;
}

/** Converts exchanges to requests, and responses to bytes on the connection. */
export function serveExchanges(options: EdgeOptions): (exchange: Exchange) => void {
  const { handler, bodyBytesMax, reportBug } = options;
  const encoding = { compressor: openCompressor(), staging: new Staging() };
  const infoOf = requestInfoCache();
  const fail = (exchange: Exchange, error: unknown) => {
    const isExpected = error instanceof ClientDisconnected || error instanceof IncompleteResponse;
    if (!isExpected) reportBug(error);
    if (isExpected || exchange.started || !sendInternalError(exchange)) exchange.abort();
  };
  const serve = inCohorts<Pending>({
    first: owned((pending) => {
      try {
        pending.request = requestOf(pending.exchange, { bodyBytesMax, infoOf });
        pending.response = handler(pending.request);
      } catch (error) {
        fail(pending.exchange, error);
      }
    }),
    second: owned(({ exchange, request, response }) => {
      if (request === undefined || response === undefined) return; // failed before
      try {
        sendWhenResolved({ exchange, request, ...encoding }, response)?.catch((error: unknown) =>
          fail(exchange, error),
        );
      } catch (error) {
        fail(exchange, error);
      }
    }),
  });
  return (exchange) => serve({ exchange, owner: connectionOwner() });
}

/** A cohort runs in the async context of its first member; the others are put into that of their own connection. */
function owned(step: (pending: Pending) => void): (pending: Pending) => void {
  return (pending) => {
    const { owner } = pending;
    if (owner === undefined || owner === connectionOwner()) step(pending);
    else ownedBy(owner, () => step(pending));
  };
}

const INTERNAL_ERROR = Buffer.from(
  JSON.stringify(internalError(new Error('the response could not be written')).status),
);

/** For responses that failed before their first byte, such as those with a header that HTTP does not allow. */
function sendInternalError(exchange: Exchange): boolean {
  try {
    exchange.respond(500, [['Content-Type', 'application/json']], INTERNAL_ERROR);
    return true;
  } catch {
    return false; // the connection is closed, or was upgraded
  }
}

function sendWhenResolved(
  context: ResponseContext,
  result: HandlerResult,
): Promise<void> | undefined {
  if (!(result instanceof Promise)) return sendResponse(context, result);
  return result.then((response) => sendResponse(context, response));
}

/** Shared by requests without a query; a query is never modified. */
const NO_QUERY = new URLSearchParams();

function requestOf(
  exchange: Exchange,
  { bodyBytesMax, infoOf }: { bodyBytesMax: number; infoOf: ReturnType<typeof requestInfoCache> },
): ApiRequest {
  const { method, target, headers, peer, cancellation } = exchange;
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? NO_QUERY : parseQuery(target.slice(mark + 1));
  const info = infoOf(method, path, query);
  const warnings = new Warnings();
  const body = () => exchange.body(bodyBytesMax);
  return {
    method,
    target,
    path,
    query,
    headers,
    peer,
    info,
    user: anonymous,
    warnings,
    cancellation,
    body,
    bodyStream: () => exchange.bodyStream(),
    sendInformational: (code, lines) => exchange.inform(code, lines),
  };
}
