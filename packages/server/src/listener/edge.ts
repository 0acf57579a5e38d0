import { parseQuery } from '@tributary/apimachinery';
import { openCompressor } from '../compression/compressor.ts';
import { anonymous } from '../filters/authentication.ts';
import type { ApiRequest, Handler } from '../pipeline.ts';
import { parseRequestInfo } from '../request-info.ts';
import { Warnings } from '../warnings.ts';
import { type Answering, sendAnswer } from './answer.ts';
import { AnswerBroken, ClientGone } from './drain.ts';
import type { Exchange } from './exchange.ts';
import { Staging } from './staging.ts';

export interface EdgeOptions {
  readonly handler: Handler;
  readonly bodyBytesMax: number;
  readonly reportBug: (error: unknown) => void;
}

/** Turns exchanges into requests, and responses into bytes on the connection. */
export function serveExchanges(options: EdgeOptions): (exchange: Exchange) => void {
  const means = { compressor: openCompressor(), staging: new Staging() };
  return (exchange) => {
    const fail = (error: unknown) => {
      if (!(error instanceof ClientGone || error instanceof AnswerBroken)) options.reportBug(error);
      exchange.abort();
    };
    try {
      serveOne(exchange, options, means)?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

function serveOne(
  exchange: Exchange,
  { handler, bodyBytesMax }: EdgeOptions,
  { compressor, staging }: Pick<Answering, 'compressor' | 'staging'>,
): Promise<void> | undefined {
  const request = requestOf(exchange, bodyBytesMax);
  const answer = handler(request);
  const answering = { exchange, request, compressor, staging };
  if (!(answer instanceof Promise)) return sendAnswer(answering, answer);
  return answer.then((response) => sendAnswer(answering, response));
}

/** Of requests without one; nobody changes a query. */
const NO_QUERY = new URLSearchParams();

function requestOf(exchange: Exchange, bodyBytesMax: number): ApiRequest {
  const { method, target, headers, peer, cancellation } = exchange;
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? NO_QUERY : parseQuery(target.slice(mark + 1));
  const info = parseRequestInfo(method, path, query);
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
    inform: (code, lines) => exchange.inform(code, lines),
  };
}
