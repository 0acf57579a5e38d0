import type { Authentication, Authenticator } from '../request/authenticator.ts';
import type { MutableRequest } from '../request/request-context.ts';
import type { RequestHeaders } from '../request/request-headers.ts';

/** Resolves a bearer token. An unknown token is `no-opinion` here; the authenticator rejects it. */
export type TokenLookup = (token: string) => Promise<Authentication> | Authentication;

const EXTRA_SPACE =
  'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** The `Authorization` header. */
export function bearerTokenAuthenticator(lookup: TokenLookup): Authenticator {
  return ({ headers, warnings }) => {
    const authorization = headers.get('authorization')?.trim();
    if (authorization === undefined) return { outcome: 'no-opinion' };
    const [scheme = '', token, ...rest] = authorization.split(' ');
    if (token === undefined || scheme.toLowerCase() !== 'bearer') return { outcome: 'no-opinion' };
    if (token === '') {
      if (rest.length > 0) warnings.add(EXTRA_SPACE);
      return { outcome: 'no-opinion' };
    }
    return knownOrRejected(lookup(token));
  };
}

const PROTOCOL_PREFIX = 'base64url.bearer.authorization.k8s.io.';

/** Browsers cannot set headers of a WebSocket, but its protocols: one of them may be a token. */
export function webSocketTokenAuthenticator(lookup: TokenLookup): Authenticator {
  return (request) => {
    if (!isWebSocket(request.headers)) return { outcome: 'no-opinion' };
    const found = tokenOf(request.headers.all('sec-websocket-protocol'));
    if (found === undefined) return { outcome: 'no-opinion' };
    if (typeof found === 'string') return { outcome: 'rejected', reason: found };
    const accept = (result: Authentication): Authentication => {
      if (result.outcome !== 'authenticated') return result;
      (request as MutableRequest).headers = request.headers.with(
        'sec-websocket-protocol',
        found.others.join(','),
      );
      return result;
    };
    const result = knownOrRejected(lookup(found.token));
    return result instanceof Promise ? result.then(accept) : accept(result);
  };
}

function isWebSocket(headers: RequestHeaders): boolean {
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket') return false;
  return headers
    .all('connection')
    .some((line) => line.toLowerCase().split(/[ ,]+/).includes('upgrade'));
}

/** The token with the other protocols, an error text, or undefined without a token. */
function tokenOf(
  lines: readonly string[],
): { token: string; others: string[] } | string | undefined {
  const protocols = lines.flatMap((line) => line.split(',').map((one) => one.trim()));
  const encoded = protocols.filter((one) => one.startsWith(PROTOCOL_PREFIX));
  if (encoded.length > 1) return 'multiple base64.bearer.authorization tokens specified';
  const text = encoded[0]?.slice(PROTOCOL_PREFIX.length);
  if (text === undefined) return undefined;
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) {
    return 'invalid base64.bearer.authorization token encoding';
  }
  const token = utf8(Buffer.from(text, 'base64url'));
  if (token === undefined) return 'invalid base64.bearer.authorization token';
  if (token === '') return undefined;
  const others = protocols.filter((one) => !one.startsWith(PROTOCOL_PREFIX));
  // The token is never echoed, so another protocol must be left to negotiate.
  return others.length === 0 ? 'missing additional subprotocol' : { token, others };
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function knownOrRejected(
  result: Promise<Authentication> | Authentication,
): Promise<Authentication> | Authentication {
  if (result instanceof Promise) return result.then(rejectUnknown);
  return rejectUnknown(result);
}

/** A request with a token is never anonymous, so an unknown token is an invalid one. */
function rejectUnknown(result: Authentication): Authentication {
  if (result.outcome !== 'no-opinion') return result;
  return { outcome: 'rejected', reason: 'invalid bearer token' };
}
