/**
 * `@tributary/client/connections`: connection pools, upgrades and dial errors. The proxy forwards raw exchanges, which
 * `Transport` hides behind Kubernetes errors and retries. Not a stable API.
 */

export { Connections, HEAD_TOO_LARGE } from './connections/connections.ts';
export type { Endpoint, PoolLimits, RequestBody, TlsSettings } from './http/exchange.ts';
export { REQUEST_BODY_INCOMPLETE } from './http/request-body.ts';
export { DialError, type DialStep } from './http/tls-socket.ts';
export { requestUpgrade, type UpgradeLimits, type UpgradeOutcome } from './http1/http1-upgrade.ts';
export {
  BROKEN_CONNECTION,
  ResponseSyntaxError,
  syntaxErrorOf,
} from './http1/response-syntax-error.ts';
