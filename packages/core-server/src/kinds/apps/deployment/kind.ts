import { Deployment } from '@tributary/api/apps-v1';
import { dns1123LabelErrors } from '@tributary/apimachinery';
import {
  type AdmissionResult,
  allow,
  type ResourceDefinition,
  type UpdateReview,
} from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { deploymentColumns } from './columns.ts';
import { defaultDeployment } from './defaults.ts';
import { validateDeployment, validateDeploymentUpdate } from './validation.ts';

/** Stored and served so that charts install; no controller runs the pods. */
export const deploymentKind: ResourceDefinition<Deployment> = defineResource({
  kind: 'Deployment',
  plural: 'deployments',
  shortNames: ['deploy'],
  categories: ['all'],
  scope: 'Namespaced',
  // The deployment controller copies annotations to ReplicaSets, so a change of one is a new generation.
  tracksAnnotations: true,
  allowUnconditionalUpdate: true,
  subresources: {
    status: true,
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.spec.selector',
    },
  },
  resetFields: { status: ['spec', 'metadata.labels'] },
  admit: {
    update: (review) => (review.subresource === 'status' ? restoreLabels(review) : allow),
  },
  versions: {
    v1: version({
      typed: Deployment,
      columns: deploymentColumns,
      bookmarkFields: { spec: { replicas: 0 } },
      applyDefaults: defaultDeployment,
      validate: validateDeployment,
      validateUpdate: validateDeploymentUpdate,
      warnings: ({ metadata }, live) => (live === undefined ? nameWarnings(metadata.name) : []),
    }),
  },
});

function nameWarnings(name = ''): string[] {
  const errors = dns1123LabelErrors(name);
  if (errors.length === 0) return [];
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${errors.join(' ')}]`,
  ];
}

/** A status update cannot change labels. */
function restoreLabels({ object, oldObject }: UpdateReview<Deployment>): AdmissionResult {
  const { labels: _sent, ...metadata } = object.metadata;
  const { labels } = oldObject.metadata;
  object.metadata = labels === undefined ? metadata : { ...metadata, labels };
  return allow;
}
