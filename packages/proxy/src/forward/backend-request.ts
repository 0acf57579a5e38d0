import type { HeaderList } from '@tributary/client';
import type { ApiRequest } from '@tributary/server';
import type { BackendRequest } from '../backend/backend.ts';
import { answerLines } from './answer-lines.ts';
import { requestBody } from './lent-body.ts';
import { isPassedOnLongRunning } from './long-running.ts';
import { forwardedHost, type RequestLineOptions, requestLines } from './request-lines.ts';

/** A request of a client, as another server is asked it. */
export async function backendRequest(
  request: ApiRequest,
  options: RequestLineOptions,
): Promise<BackendRequest> {
  const { isUpgrade } = options;
  const { inform } = request;
  return {
    method: request.method,
    path: request.target ?? request.path,
    headers: requestLines(request, options),
    body: await requestBody(request),
    signal: request.cancellation.signal,
    use: isUpgrade || isPassedOnLongRunning(request.info) ? 'watch' : 'request',
    ...(!isUpgrade && { headersFor: forwardedHost }),
    ...(inform && {
      hearInterim: (status: number, lines: HeaderList) => inform(status, answerLines(lines)),
    }),
  };
}
