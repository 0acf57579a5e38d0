import {
  type MediaTypeOptions,
  negotiateMediaTypeOptions,
  noAcceptableStreamType,
  noAcceptableType,
  requireProducible,
} from '../request/negotiation.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import { wantsPretty } from '../request/pretty.ts';

/** The representation and encoding that a client requests. */
export type Output = MediaTypeOptions;

/** The 406 of upstream's router, which negotiates before any handler runs; such a response has no warnings. */
export function requireServedType({ method, info, headers }: ApiRequest): void {
  const isRead = method === 'GET';
  // Only resources that can be listed can be watched.
  const streams = isRead && (info.parts.length === 1 || info.verb === 'watch');
  requireProducible(headers.joined('accept'), { streams });
}

/**
 * Negotiates the output of a request; 406 when no served type is acceptable. Whether the output suits the object is
 * checked when the response is made, because upstream looks the object up first.
 */
export function negotiateOutput(request: ApiRequest): Output {
  // The router has checked all requests but those for subresources.
  if (request.info.parts.length > 2) requireServedType(request);
  const output = negotiateMediaTypeOptions(request.headers.joined('accept'), {
    transforms: 'allowed',
  });
  if (output === undefined) throw noAcceptableType();
  return indentedIfRequested(output, request);
}

/** 406 for an output that suits one document but not a stream. */
export function requireStreamable({ mediaType }: Output): void {
  if (mediaType !== 'application/json') throw noAcceptableStreamType();
}

/**
 * The output of a Status returned for a failure. Transforms do not apply to failures: Accept clauses with one are
 * ignored. When none is left, browsers get it indented, as upstream does.
 */
export function failureOutput(request: ApiRequest): Output {
  const output = negotiateMediaTypeOptions(request.headers.joined('accept'), {
    transforms: 'refused',
  });
  return output === undefined ? INDENTED : indentedIfRequested(output, request);
}

/** The output of a Status for a success: it is never transformed. */
export function successOutput(request: ApiRequest): Output {
  const output = negotiateMediaTypeOptions(request.headers.joined('accept'), {
    transforms: 'allowed',
  });
  return output === undefined
    ? INDENTED
    : indentedIfRequested({ ...output, transform: undefined }, request);
}

const INDENTED: Output = { mediaType: 'application/json', transform: undefined, pretty: true };

function indentedIfRequested(output: MediaTypeOptions, request: ApiRequest): Output {
  return output.pretty || !wantsPretty(request) ? output : { ...output, pretty: true };
}
