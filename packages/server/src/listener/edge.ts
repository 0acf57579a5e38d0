import { parseQuery } from '@tributary/apimachinery';
import { openCompressor } from '../compression/compressor.ts';
import { anonymous } from '../filters/authentication.ts';
import type { Answer, ApiRequest, Handler } from '../pipeline.ts';
import { Warnings } from '../warnings.ts';
import { type Answering, sendAnswer } from './answer.ts';
import { inCohorts } from './cohorts.ts';
import { AnswerBroken, ClientGone } from './drain.ts';
import type { Exchange } from './exchange.ts';
import { knownTargets } from './known-targets.ts';
import { Staging } from './staging.ts';

export interface EdgeOptions {
  readonly handler: Handler;
  readonly bodyBytesMax: number;
  readonly reportBug: (error: unknown) => void;
}

/** An exchange on its way: what was asked, and what the answer is once a handler has given it. */
interface Asked {
  readonly exchange: Exchange;
  request?: ApiRequest;
  answer?: Answer;
}

/** Turns exchanges into requests, and responses into bytes on the connection. */
export function serveExchanges(options: EdgeOptions): (exchange: Exchange) => void {
  const { handler, bodyBytesMax, reportBug } = options;
  const means = { compressor: openCompressor(), staging: new Staging() };
  const infoOf = knownTargets();
  const fail = (exchange: Exchange, error: unknown) => {
    if (!(error instanceof ClientGone || error instanceof AnswerBroken)) reportBug(error);
    exchange.abort();
  };
  const serve = inCohorts<Asked>({
    first(asked) {
      try {
        asked.request = requestOf(asked.exchange, { bodyBytesMax, infoOf });
        asked.answer = handler(asked.request);
      } catch (error) {
        fail(asked.exchange, error);
      }
    },
    second({ exchange, request, answer }) {
      if (request === undefined || answer === undefined) return; // it failed
      try {
        sendWhenThere({ exchange, request, ...means }, answer)?.catch((error: unknown) =>
          fail(exchange, error),
        );
      } catch (error) {
        fail(exchange, error);
      }
    },
  });
  return (exchange) => serve({ exchange });
}

function sendWhenThere(answering: Answering, answer: Answer): Promise<void> | undefined {
  if (!(answer instanceof Promise)) return sendAnswer(answering, answer);
  return answer.then((response) => sendAnswer(answering, response));
}

/** Of requests without one; nobody changes a query. */
const NO_QUERY = new URLSearchParams();

function requestOf(
  exchange: Exchange,
  { bodyBytesMax, infoOf }: { bodyBytesMax: number; infoOf: ReturnType<typeof knownTargets> },
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
    inform: (code, lines) => exchange.inform(code, lines),
  };
}
