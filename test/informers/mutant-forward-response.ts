/** Stands in for forward-response.ts of the proxy in mutant-gateway.ts, and differs from it in the events of watches. */
import { readFileSync } from 'node:fs';
import type { ApiRequest, ApiResponse } from '@tributary/server';
import { forwardResponse as forwardUnchanged } from '../../packages/proxy/src/forward/forward-response.ts';
import { type GatewayMutant, gatewayMutants } from './gateway-mutants.ts';

export async function forwardResponse(
  request: ApiRequest,
  result: Parameters<typeof forwardUnchanged>[1],
): Promise<ApiResponse> {
  const response = await forwardUnchanged(request, result);
  if (response.kind !== 'proxied' || request.info.verb !== 'watch') return response;
  return { ...response, chunks: spoilLines(response.chunks) };
}

/** The file may name another fault for every watch. */
function presentMutant(): GatewayMutant {
  const name = readFileSync(process.env.GATEWAY_FAULT_FILE ?? '', 'utf8');
  const mutant = gatewayMutants.find((each) => each.name === name);
  if (mutant === undefined) throw new Error(`no fault is called ${name}`);
  return mutant;
}

/** Written as an iterator: a generator that waits for an event would not let go of a watch whose client has left. */
function spoilLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const inner = chunks[Symbol.asyncIterator]();
      const spoil = lineSpoiler(presentMutant());
      return {
        async next() {
          for (;;) {
            const { done, value } = await inner.next();
            if (done === true) return { done, value: undefined };
            const spoiled = spoil(value);
            if (spoiled !== '') return { done: false, value: Buffer.from(spoiled) };
          }
        },
        async return() {
          await inner.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** Whole lines only: the end of one that is not there yet comes with a later chunk. */
function lineSpoiler(mutant: GatewayMutant): (chunk: Uint8Array) => string {
  const change = mutant.spoil();
  const decoder = new TextDecoder();
  let rest = '';
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    return lines
      .flatMap(change)
      .map((line) => `${line}\n`)
      .join('');
  };
}
