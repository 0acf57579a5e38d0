/** The parts that a program assembles: inside a control plane, or in front of a cluster (`./standalone`). */
export {
  type Aggregator,
  type AggregatorOptions,
  assembleAggregator,
} from './assemble-aggregator.ts';
export { type DebtsOptions, type RunningDebts, startDebts } from './debts/start-debts.ts';
export { withServersPath } from './discovery/servers-route.ts';
export { fileDocumentStore } from './documents/file-document-store.ts';
export { lateChecks } from './health/late-checks.ts';
export { aggregatorApis } from './kinds/aggregator-apis.ts';
export type { NamespaceDebt } from './kinds/namespace-debt.ts';
export { apiServices, namespaceDebts } from './kinds/resources.ts';
export { type AutoRegistration, autoRegister } from './registrations/auto-register.ts';
export { customVersions, localPriorities } from './registrations/local-priorities.ts';
export { annotations } from './registrations/registration.ts';
export { serviceAddress } from './targets/service-address.ts';
