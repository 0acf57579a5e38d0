/** Discovery documents, which the aggregator merges. */

export {
  type APIResourceDiscovery,
  type APISubresourceDiscovery,
  resourcesDiscovery,
} from './aggregated.ts';
export type { APIGroup, APIResource } from './legacy.ts';
export {
  aggregatedPage,
  answerPage,
  type DiscoveryPage,
  plainPage,
  withoutTrailingSlashes,
} from './page.ts';
export { representJson } from './representation.ts';
