/**
 * `@tributary/client/http`: the rules of HTTP messages and the handling of `node:http` streams. The server and the proxy
 * must apply the same rules as the client to what they forward. Not a stable API.
 */

export { coalesceChunks } from './bytes/coalesce-chunks.ts';
export {
  asError,
  type ConnectionOwner,
  connectionOwner,
  ownedBy,
  ownedByProcess,
} from './http/connection-owner.ts';
export {
  connectionHeaderNames,
  InvalidHeaderError,
  interimOrTrailerHeaders,
  isHeaderName,
  isHeaderValue,
  isHopByHopHeader,
  isHttp2Header,
  isSingleValueHeader,
} from './http/header-rules.ts';
export {
  hasImpersonationPrefix,
  impersonateHeaders,
  isIdentityHeader,
  isImpersonationHeader,
  remoteUserHeaders,
} from './http/identity-headers.ts';
export { limitInterimResponses } from './http/interim-responses.ts';
export { isIncomplete } from './http/request-body.ts';
export { nodeHttp } from './http1/node-http.ts';
