export { type BackoffOptions, REFLECTOR_BACKOFF } from './backoff.ts';
export { type Client, createClient } from './client.ts';
export type {
  Authorization,
  ClientConfig,
  ExecPlugin,
  Identity,
  Impersonation,
  PemSource,
} from './client-config.ts';
export { type Clock, sleep, systemClock } from './clock.ts';
export type { Exchange, HeaderPairs, WireRequest } from './exchange.ts';
export { ExecPluginError } from './exec-plugin.ts';
export type { EventHandler } from './handler-queue.ts';
export { inClusterConfig, isInCluster, type ServiceAccountOptions } from './in-cluster.ts';
export {
  createInformer,
  type Informer,
  type InformerOptions,
  type Subscription,
} from './informer.ts';
export { type LoadOptions, loadConfig, parseKubeconfig } from './kubeconfig.ts';
export { KubeconfigError } from './kubeconfig-error.ts';
export { electLeader, type LeaderElectionOptions } from './leader-election.ts';
export { LEASES, type Lease, type LeaseSpec } from './lease.ts';
export {
  type Indexers,
  type IndexFunction,
  objectKey,
  type ReadonlyStore,
} from './object-store.ts';
export {
  bucketRateLimiter,
  controllerRateLimiter,
  exponentialRateLimiter,
  type RateLimiter,
  slowestRateLimiter,
} from './rate-limiter.ts';
export {
  type ListWatch,
  Reflector,
  type ReflectorOptions,
  type ReflectorSink,
} from './reflector.ts';
export {
  type CallOptions,
  type DeleteOptions,
  type GetOptions,
  isExpired,
  type ListAllOptions,
  type ListOptions,
  metadataResource,
  type NewObject,
  type Patch,
  type ResourceClient,
  resource,
  type Selection,
  type WatchOptions,
  type WriteOptions,
} from './resource-client.ts';
export { type ResourceLocation, type ResourceType, resourcePath } from './resource-path.ts';
export { isTooLargeResourceVersion, VersionsWentBack } from './resource-versions.ts';
export {
  createTransport,
  type RequestOptions,
  type ResponseHead,
  type Transport,
  type TransportOptions,
  type TransportResponse,
  type TransportStream,
} from './transport.ts';
export { TransportError } from './transport-error.ts';
export type { Bookmark, WatchEvent } from './watch-events.ts';
export {
  createWorkQueue,
  runWorkers,
  type WorkersOptions,
  type WorkQueue,
  type WorkQueueOptions,
} from './work-queue.ts';
