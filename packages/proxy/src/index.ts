export {
  type Backend,
  BackendFailure,
  type BackendRequest,
  type BackendResponse,
  type Backends,
  type FailureHop,
  type OnEvidence,
  ProbeTimeout,
  type RequestSender,
  type UpgradeResponse,
} from './backend/backend.ts';
export {
  type BackendConfig,
  type BackendLimits,
  type BackendServer,
  defaultBackendLimits,
} from './backend/backend-config.ts';
export { backendMetrics } from './backend/backend-metrics.ts';
export { readCaBundle } from './backend/ca-bundle.ts';
export { directBackend } from './backend/direct-backend.ts';
export {
  addressOf,
  explainFailure,
  isClientsFault,
  isRequestsFault,
} from './backend/explain-failure.ts';
export { mayRetry } from './backend/may-retry.ts';
export {
  type BackendsOptions,
  defaultConnectionLimits,
  openBackends,
} from './backend/open-backends.ts';
export type { Addressed, FindTargets, Target, TargetProblem, Targets } from './backend/target.ts';
export type { FrontProxyIdentity } from './backend/trust.ts';
export {
  cannotHijack,
  invalidStatus,
  invalidUpgradeResponse,
  redirected,
} from './forward/errors.ts';
export {
  type ForwardOptions,
  forwardRequest,
  isUpgradeRequest,
} from './forward/forward-request.ts';
export { forwardResponse } from './forward/forward-response.ts';
export { isForwardedLongRunning } from './forward/long-running.ts';
export {
  aggregatorHeaders,
  encodeHeaderValue,
  frontProxyHeaders,
} from './headers/front-proxy-headers.ts';
export { forwardedHost, requestHeaders } from './headers/request-headers.ts';
export { headerValue } from './headers/response-headers.ts';
