/** The log subresource, proxied to the kubelet. */

import type { Pod } from '@tributary/api/core-v1';
import { internalError, StatusError } from '@tributary/apimachinery';
import { type BackendResponse, forwardResponse } from '@tributary/proxy';
import type { ApiRequest, ApiResponse, ConnectInput } from '@tributary/server';
import { plainError } from '../../shared/plain-failure.ts';
import { forward } from '../shared/proxy/forward.ts';
import { hostOf } from '../shared/proxy/location.ts';
import type { AddressRule } from '../shared/proxy/reachable-address.ts';
import { containerOf } from './container-of.ts';
import { kubeletLocation } from './kubelet-location.ts';
import { parseLogOptions } from './log-options.ts';

/** The bound of a kubelet's error text in our error. */
const ERROR_BYTES_MAX = 2000;

export function podLog(isAllowed: AddressRule): ConnectInput<Pod> {
  return {
    methods: ['GET'],
    connect: async (connection) => {
      const { object, request } = connection;
      const { name = '', namespace = '' } = object.metadata;
      const options = parseLogOptions(request.query, name);
      const container = containerOf(object, options.container);
      const fieldPath = await kubeletLocation(connection, isAllowed);
      if (fieldPath === undefined) return { kind: 'proxied', code: 204, chunks: nothing() };
      const path = `/containerLogs/${namespace}/${name}/${container}`;
      const target = options.query === '' ? path : `${path}?${options.query}`;
      const url = `https://${hostOf(fieldPath)}${target}`;
      return forward(
        request,
        { ...fieldPath, target },
        {
          unreachable: (reason) => plainError(`Get ${JSON.stringify(url)}: ${reason}`),
          respond: (response) => textOnly(request, response, url),
        },
      );
    },
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Logs are plain text whatever the kubelet's content type; an error of the kubelet becomes a Status. */
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
    throw plainError(`Get ${JSON.stringify(url)}: redirects forbidden`);
  if (status === 500) throw internalError(new Error(text));
  throw new StatusError({ code: status, message: text });
}

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= ERROR_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).subarray(0, ERROR_BYTES_MAX).toString();
}
