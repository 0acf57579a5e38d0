/** The resources that the aggregator serves. */
import type { ResourceType } from '@tributary/client';

export const REGISTRATION_GROUP = 'apiregistration.k8s.io';
export const AGGREGATION_GROUP = 'aggregation.tributary.dev';

export const apiServices: ResourceType = {
  group: REGISTRATION_GROUP,
  version: 'v1',
  plural: 'apiservices',
  namespaced: false,
};

export const namespaceDebts: ResourceType = {
  group: AGGREGATION_GROUP,
  version: 'v1',
  plural: 'namespacedebts',
  namespaced: false,
};
