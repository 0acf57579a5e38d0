/** What the containers of a pod have written, as the kubelet of its node tells. */

import type { Pod } from '@tributary/api/core-v1';
import { internalError, StatusError } from '@tributary/apimachinery';
import { type BackendResponse, forwardResponse } from '@tributary/proxy';
import type { ApiRequest, ApiResponse, ConnectInput } from '@tributary/server';
import { forward } from '../../reach/forward.ts';
import { hostOf } from '../../reach/location.ts';
import type { AddressRule } from '../../reach/reachable-address.ts';
import { plainFailure } from '../../shared/plain-failure.ts';
import { containerOf } from './container-of.ts';
import { kubeletPlace } from './kubelet-location.ts';
import { parseLogOptions } from './log-options.ts';

/** As much of a kubelet's refusal is told. */
const REFUSAL_BYTES_MAX = 2000;

export function podLog(isAllowed: AddressRule): ConnectInput<Pod> {
  return {
    methods: ['GET'],
    connect: async (connection) => {
      const { object, request } = connection;
      const { name = '', namespace = '' } = object.metadata;
      const options = parseLogOptions(request.query, name);
      const container = containerOf(object, options.container);
      const place = await kubeletPlace(connection, isAllowed);
      if (place === undefined) return { kind: 'proxied', code: 204, chunks: nothing() };
      const path = `/containerLogs/${namespace}/${name}/${container}`;
      const target = options.query === '' ? path : `${path}?${options.query}`;
      const url = `https://${hostOf(place)}${target}`;
      return forward(
        request,
        { ...place, target },
        {
          unreachable: (reason) => plainFailure(`Get ${JSON.stringify(url)}: ${reason}`),
          respond: (response) => textOnly(request, response, url),
        },
      );
    },
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** A log is text, whatever the kubelet calls it; its errors become ours. */
async function textOnly(
  request: ApiRequest,
  response: BackendResponse,
  url: string,
): Promise<ApiResponse> {
  const { status, body, cancel } = response;
  if (status >= 200 && status <= 206) {
    const headers = [['content-type', 'text/plain']] as const;
    return forwardResponse(request, { ...response, status: 200, headers });
  }
  const text = await beginningOf(body);
  cancel();
  if (status >= 300 && status < 400)
    throw plainFailure(`Get ${JSON.stringify(url)}: redirects forbidden`);
  if (status === 500) throw internalError(new Error(text));
  throw new StatusError({ code: status, message: text });
}

async function beginningOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    kept.push(chunk);
    bytes += chunk.length;
    if (bytes >= REFUSAL_BYTES_MAX) break;
  }
  return Buffer.concat(kept).subarray(0, REFUSAL_BYTES_MAX).toString();
}
