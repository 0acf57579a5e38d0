import type { HeaderList } from '@tributary/client';
import type { ApiRequest } from '@tributary/server';
import type { BackendRequest } from '../backend/backend.ts';
import {
  forwardedHost,
  type RequestLineOptions,
  requestLines,
} from '../headers/request-headers.ts';
import { responseHeaders } from '../headers/response-headers.ts';
import { isForwardedLongRunning } from './long-running.ts';
import { requestBody } from './request-body.ts';

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
    use: isUpgrade || isForwardedLongRunning(request.info) ? 'watch' : 'request',
    ...(!isUpgrade && { headersFor: forwardedHost }),
    ...(inform && {
      onInterim: (status: number, lines: HeaderList) => inform(status, responseHeaders(lines)),
    }),
  };
}
