/** The parts that a program assembles: inside a control plane, or in front of a cluster (`./standalone`). */

export { customVersions, localPriorities } from './api-services/local-priorities.ts';
export { annotations } from './api-services/registration.ts';
export { apiServices, namespaceDebts } from './api-services/resources.ts';
export {
  type Aggregator,
  type AggregatorOptions,
  assembleAggregator,
} from './assembly/assemble-aggregator.ts';
export { withServersPath } from './discovery/servers-route.ts';
export { fileDocumentStore } from './document-store/file-document-store.ts';
export { checksAfterStart as lateChecks } from './health/checks-after-start.ts';
export { aggregatorApis } from './kinds/aggregator-apis.ts';
export type { NamespaceDebt } from './kinds/namespace-debt.ts';
export {
  type NamespaceDeletionOptions as DebtsOptions,
  type RunningNamespaceDeletion as RunningDebts,
  startNamespaceDeletion as startDebts,
} from './namespace-deletion/start-namespace-deletion.ts';
export { type AutoRegistration, autoRegister } from './registrations/auto-register.ts';
export { serviceAddress } from './targets/service-address.ts';
