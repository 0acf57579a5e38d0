export { ExecPluginError } from './credentials/exec-plugin.ts';
export type { Exchange, HeaderList, HttpRequest } from './http/exchange.ts';
export { TransportError } from './http/transport-error.ts';
export type { EventHandler } from './informer/handler-queue.ts';
export {
  createInformer,
  type Informer,
  type InformerOptions,
  type Subscription,
} from './informer/informer.ts';
export {
  type Indexers,
  type IndexFunction,
  objectKey,
  type ReadonlyStore,
} from './informer/object-store.ts';
export {
  type ListWatch,
  Reflector,
  type ReflectorOptions,
  type ReflectorSink,
} from './informer/reflector.ts';
export type {
  Authorization,
  ClientConfig,
  ExecPlugin,
  Identity,
  Impersonation,
  PemSource,
} from './kubeconfig/client-config.ts';
export {
  inClusterConfig,
  isInCluster,
  type ServiceAccountOptions,
} from './kubeconfig/in-cluster.ts';
export { type LoadOptions, loadConfig, parseKubeconfig } from './kubeconfig/kubeconfig.ts';
export { KubeconfigError } from './kubeconfig/kubeconfig-error.ts';
export { electLeader, type LeaderElectionOptions } from './leader-election/leader-election.ts';
export { LEASES, type Lease, type LeaseSpec } from './leader-election/lease.ts';
export { type Client, createClient } from './resource/client.ts';
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
} from './resource/resource-client.ts';
export {
  type ResourceLocation,
  type ResourceType,
  resourcePath,
} from './resource/resource-path.ts';
export {
  isTooLargeResourceVersion,
  ResourceVersionRegressedError,
} from './resource/resource-versions.ts';
export type { Bookmark, WatchEvent } from './resource/watch-events.ts';
export { unlessAborted } from './timing/abort.ts';
export { type BackoffOptions, REFLECTOR_BACKOFF } from './timing/backoff.ts';
export { type Clock, sleep, systemClock } from './timing/clock.ts';
export {
  createTransport,
  type RequestOptions,
  type ResponseHead,
  type Transport,
  type TransportOptions,
  type TransportResponse,
  type TransportStream,
} from './transport/transport.ts';
export {
  bucketRateLimiter,
  controllerRateLimiter,
  exponentialRateLimiter,
  type RateLimiter,
  slowestRateLimiter,
} from './work-queue/rate-limiter.ts';
export {
  createWorkQueue,
  runWorkers,
  type WorkersOptions,
  type WorkQueue,
  type WorkQueueOptions,
} from './work-queue/work-queue.ts';
