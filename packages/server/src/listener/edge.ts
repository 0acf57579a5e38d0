import { parseQuery } from '@tributary/apimachinery';
import { openCompressor } from '../compression/compressor.ts';
import { anonymous } from '../filters/authentication.ts';
import type { ApiRequest, Handler } from '../pipeline.ts';
import { parseRequestInfo } from '../request-info.ts';
import { Warnings } from '../warnings.ts';
import { type Answering, sendAnswer } from './answer.ts';
import { ClientGone } from './drain.ts';
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
    serveOne(exchange, options, means).catch((error: unknown) => {
      if (!(error instanceof ClientGone)) options.reportBug(error);
      exchange.abort();
    });
  };
}

async function serveOne(
  exchange: Exchange,
  { handler, bodyBytesMax }: EdgeOptions,
  means: Pick<Answering, 'compressor' | 'staging'>,
): Promise<void> {
  const request = requestOf(exchange, bodyBytesMax);
  await sendAnswer({ exchange, request, ...means }, await handler(request));
}

function requestOf(exchange: Exchange, bodyBytesMax: number): ApiRequest {
  const { method, target, headers, peer, cancellation } = exchange;
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = parseQuery(mark === -1 ? '' : target.slice(mark + 1));
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
  };
}
