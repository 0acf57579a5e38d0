/** Discovery documents, which the aggregator merges. */

export {
  type APIResourceDiscovery,
  type APISubresourceDiscovery,
  resourcesDiscovery,
} from './aggregated.ts';
export type { APIGroup, APIResource } from './legacy.ts';
export {
  aggregatedPage,
  type DiscoveryPage,
  plainPage,
  servePage,
  withoutTrailingSlashes,
} from './page.ts';
export { representJson } from './representation.ts';
