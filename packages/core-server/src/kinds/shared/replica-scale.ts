import type { ScalePaths } from '@tributary/server';

/** The scale of kinds that have a number of replicas and a label selector. */
export const replicaScale: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};
