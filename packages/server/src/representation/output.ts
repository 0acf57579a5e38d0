import {
  noStreamAcceptable,
  nothingAcceptable,
  requireProducible,
  type Wish,
  wishOf,
} from '../request/negotiation.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import { wantsPretty } from '../request/pretty.ts';

/** What a client wants of an answer. */
export type Output = Wish;

/** What upstream's router refuses with 406. It asks before any handler does, so that such an answer has no warnings. */
export function requireServedType({ method, info, headers }: ApiRequest): void {
  const isRead = method === 'GET';
  // Only what is read as a list can be watched as well.
  const streams = isRead && (info.parts.length === 1 || info.verb === 'watch');
  requireProducible(headers.joined('accept'), { streams });
}

/**
 * Reads the wish from the request; 406 when nothing that is served would do. Whether the wish fits the shape is seen
 * when the answer is made, because upstream looks for the object first.
 */
export function negotiateOutput(request: ApiRequest): Output {
  // The router has asked for everything but subresources.
  if (request.info.parts.length > 2) requireServedType(request);
  const wish = wishOf(request.headers.joined('accept'), { transforms: 'allowed' });
  if (wish === undefined) throw nothingAcceptable();
  return indentedAsAsked(wish, request);
}

/** 406 for a wish that is fine for one document and not for a stream of them. */
export function requireStreamable({ mediaType }: Output): void {
  if (mediaType !== 'application/json') throw noStreamAcceptable();
}

/**
 * The wish for a Status in place of what was asked for. Transforms are nothing for a failure: a clause that asks for
 * one does not count. Nothing is left then, and people get it indented, as from upstream.
 */
export function failureOutput(request: ApiRequest): Output {
  const wish = wishOf(request.headers.joined('accept'), { transforms: 'refused' });
  return wish === undefined ? INDENTED : indentedAsAsked(wish, request);
}

/** The wish for a Status that says that all went well: it is sent as it is, whatever it should become. */
export function successOutput(request: ApiRequest): Output {
  const wish = wishOf(request.headers.joined('accept'), { transforms: 'allowed' });
  return wish === undefined
    ? INDENTED
    : indentedAsAsked({ ...wish, transform: undefined }, request);
}

const INDENTED: Output = { mediaType: 'application/json', transform: undefined, pretty: true };

function indentedAsAsked(wish: Wish, request: ApiRequest): Output {
  return wish.pretty || !wantsPretty(request) ? wish : { ...wish, pretty: true };
}
