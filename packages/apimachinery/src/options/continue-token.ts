import { badRequest } from '../errors/errors.ts';
import { type Decoded, decodeGoStruct, type GoStruct, GoTypeError } from '../json/go-struct.ts';
import { JsonError } from '../json/json-error.ts';
import { parseJson } from '../json/parse-json.ts';
import { goJson } from '../values/go-value.ts';

/** The position at which a paged list continues. */
export interface ContinueToken {
  /** The revision of the first page, or -1 to continue with the latest state, which makes the list inconsistent. */
  readonly revision: number;
  /** The first key of the next page, relative to the root of the list: `name\0` or `namespace/name\0`. */
  readonly start: string;
}

/** Unpadded base64url of a JSON document, as upstream, so that any server can continue the list. */
export function encodeContinueToken({ revision, start }: ContinueToken): string {
  const document = `{"v":"meta.k8s.io/v1","rv":${revision},"start":${goJson(start)}}`;
  return Buffer.from(document).toString('base64url');
}

/** The token for the page after `lastKey`. */
export function continueAfter(lastKey: string, revision: number): string {
  return encodeContinueToken({ revision, start: `${lastKey}\0` });
}

/** Throws a 400 for an invalid token. */
export function decodeContinueToken(token: string): ContinueToken {
  const { v = '', rv = 0n, start = '' } = decodeDocument(decodeBase64Url(token));
  if (v !== 'meta.k8s.io/v1')
    throw invalid(`: server does not recognize this encoded version ${v}`);
  if (rv === 0n) {
    throw invalid(': incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  }
  if (start === '') throw invalid(': encoded start key empty (version meta.k8s.io/v1)');
  const key = start.startsWith('/') ? start.slice(1) : start;
  // A key with `..` could leave the root of the list.
  if (key !== '' && key.split('/').some(isUncleanSegment)) throw invalid(`: ${start}`);
  return { revision: Number(rv), start: key };
}

const tokenStruct = {
  type: 'storage.continueToken',
  fields: { v: { kind: 'string' }, rv: { kind: 'int64' }, start: { kind: 'string' } },
} as const satisfies GoStruct;

function decodeDocument(bytes: Uint8Array): Decoded<typeof tokenStruct> {
  try {
    return decodeGoStruct(parseJson(bytes), tokenStruct);
  } catch (error) {
    if (error instanceof JsonError || error instanceof GoTypeError) {
      throw invalid(`: ${error.message}`);
    }
    throw error;
  }
}

/** Skips line breaks, as Go does; other characters outside the alphabet are reported with their position. */
function decodeBase64Url(token: string): Uint8Array {
  const bad = /[^A-Za-z0-9_\-\r\n]/.exec(token);
  if (bad !== null)
    throw invalid(`: illegal base64 data at input byte ${byteOffset(token, bad.index)}`);
  const digits = token.replace(/[\r\n]/g, '');
  // A last group of one digit holds less than a byte; Go reports the position of that digit.
  if (digits.length % 4 === 1)
    throw invalid(`: illegal base64 data at input byte ${token.length - 1}`);
  return Buffer.from(digits, 'base64url');
}

function byteOffset(text: string, index: number): number {
  return Buffer.byteLength(text.slice(0, index));
}

function isUncleanSegment(segment: string): boolean {
  return segment === '' || segment === '.' || segment === '..';
}

function invalid(detail: string): Error {
  return badRequest(`invalid continue token: continue key is not valid${detail}`);
}
