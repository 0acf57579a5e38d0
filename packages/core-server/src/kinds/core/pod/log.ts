/** What the containers of a pod have written, as the kubelet of its node tells. */

import type { Pod } from '@tributary/api/core-v1';
import { internalError, StatusError } from '@tributary/apimachinery';
import type { ApiResponse, ConnectInput } from '@tributary/server';
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
      if (place === undefined) return { kind: 'passed-on', code: 204, chunks: nothing() };
      const path = `/containerLogs/${namespace}/${name}/${container}`;
      const target = options.query === '' ? path : `${path}?${options.query}`;
      const url = `https://${hostOf(place)}${target}`;
      const answer = await forward(
        request,
        { ...place, target },
        {
          unreachable: (why) => plainFailure(`Get ${JSON.stringify(url)}: ${why}`),
        },
      );
      return onlyText(answer, url);
    },
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** A log is text, whatever the kubelet calls it; a refusal of its own is told as one. */
async function onlyText(answer: ApiResponse, url: string): Promise<ApiResponse> {
  if (answer.kind !== 'passed-on') return answer;
  const { code, chunks } = answer;
  if (code >= 200 && code <= 206) {
    return { kind: 'passed-on', code: 200, headers: [['content-type', 'text/plain']], chunks };
  }
  const text = await beginningOf(chunks);
  if (code >= 300 && code < 400)
    throw plainFailure(`Get ${JSON.stringify(url)}: redirects forbidden`);
  if (code === 500) throw internalError(new Error(text));
  throw new StatusError({ code, message: text });
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
