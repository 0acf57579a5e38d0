/** What a proxy is built from, beside the public surface. It may change with every release. */

export { coalescePieces } from './bytes/coalesce-pieces.ts';
export { Connections, HEAD_TOO_LARGE } from './connections/connections.ts';
export { createCredentials, impersonationHeaders, pemReader } from './credentials/credentials.ts';
export { AnswerSyntaxError, BROKEN_CONNECTION, syntaxErrorOf } from './http1/http1-head.ts';
export { requestUpgrade, type UpgradeLimits, type UpgradeOutcome } from './http1/http1-upgrade.ts';
export { nodeHttp } from './http1/node-http.ts';
export { unlessAborted } from './timing/abort.ts';
export {
  asError,
  type ConnectionOwner,
  connectionOwner,
  ownedBy,
  ownedByProcess,
} from './wire/connection-owner.ts';
export type { Endpoint, PoolLimits, TlsSettings, WireBody } from './wire/exchange.ts';
export {
  besideResponse,
  InvalidHeader,
  isHeaderName,
  isHeaderValue,
  isHopByHop,
  isHttp2Header,
  isSingleValue,
  namedByConnection,
} from './wire/header-rules.ts';
export { limitInterimResponses } from './wire/interim-responses.ts';
export { BODY_BROKE_OFF, isCut } from './wire/request-body.ts';
export { DialError, type DialStep } from './wire/tls-socket.ts';
