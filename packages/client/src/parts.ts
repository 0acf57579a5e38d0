/** What a proxy is built from, beside the public surface. It may change with every release. */

export { unlessAborted } from './abort.ts';
export { coalescePieces } from './coalesce-pieces.ts';
export {
  asError,
  type ConnectionOwner,
  connectionOwner,
  ownedBy,
  ownedByProcess,
} from './connection-owner.ts';
export { Connections, HEAD_TOO_LARGE } from './connections.ts';
export { createCredentials, impersonationHeaders, pemReader } from './credentials.ts';
export type { Endpoint, PoolLimits, TlsSettings, WireBody } from './exchange.ts';
export {
  besideResponse,
  InvalidHeader,
  isHeaderName,
  isHeaderValue,
  isHopByHop,
  isHttp2Header,
  isSingleValue,
  namedByConnection,
} from './header-rules.ts';
export { AnswerSyntaxError, BROKEN_CONNECTION, syntaxErrorOf } from './http1-head.ts';
export { requestUpgrade, type UpgradeLimits, type UpgradeOutcome } from './http1-upgrade.ts';
export { limitInterimResponses } from './interim-responses.ts';
export { nodeHttp } from './node-http.ts';
export { BODY_BROKE_OFF, isCut } from './request-body.ts';
export { DialError, type DialStep } from './tls-socket.ts';
