import {
  Node,
  PodTemplate,
  ReplicationController,
  type ReplicationControllerSpec,
} from '@tributary/api/core-v1';
import { declarative, type FieldError, fieldError, root } from '@tributary/apimachinery';
import { nameColumn } from '@tributary/server/definition';
import { selectorOf } from '../../rbac/label-selector-terms.ts';
import { nodeProxy } from '../reach/node-proxy.ts';
import { isGlobalUnicast } from '../reach/reachable-address.ts';
import { alwaysRuns, column, containerColumns, labelsText } from '../shared/pod-parts.ts';
import { replicaColumns, validateReplicaStatus } from '../shared/replicas.ts';
import { storedKind } from '../shared/stored-kind.ts';
import { nodeColumns, versionColumn, wideNodeColumns } from './node/columns.ts';
import { admitNode, defaultNode, validateNode, validateNodeChange } from './node/validation.ts';
import { defaultPodSpec } from './pod-template/defaults.ts';
import { notNegative } from './pod-template/validate-probes.ts';
import { validatePodTemplate } from './pod-template/validation.ts';

const SPEC = root('spec');

export const podTemplateKind = storedKind<PodTemplate>({
  typed: PodTemplate,
  plural: 'podtemplates',
  generation: true,
  returnsDeletedObject: true,
  allColumns: [
    nameColumn,
    ...containerColumns<PodTemplate>(({ template }) => template.spec.containers),
    column('Pod Labels', 'The labels of its pods', ({ template }) =>
      labelsText(template.metadata.labels),
    ),
  ],
  applyDefaults: ({ template }) => defaultPodSpec(template.spec),
  validate: ({ template }) => validatePodTemplate(template, root('template')),
});

export const replicationControllerKind = storedKind<ReplicationController>({
  typed: ReplicationController,
  plural: 'replicationcontrollers',
  declaredName: true,
  shortNames: ['rc'],
  categories: ['all'],
  generation: true,
  status: true,
  scaledBy: '.spec.selector',
  lifecycle: { orphansByDefault: {} },
  hasOwnFieldLabels: true,
  selectableFields: ['status.replicas'],
  columns: replicaColumns,
  wideColumns: [
    ...containerColumns<ReplicationController>(({ spec }) => spec.template?.spec.containers),
    column('Selector', 'By which labels its pods are found', ({ spec }) =>
      labelsText(spec.selector),
    ),
  ],
  applyDefaults: defaultReplicationController,
  validate: ({ spec }) => validateReplicationController(spec),
  validateStatus: ({ status }) => validateReplicaStatus(status),
});

export const nodeKind = storedKind<Node>({
  typed: Node,
  metadataOnUpdate: 'twice',
  plural: 'nodes',
  shortNames: ['no'],
  scope: 'Cluster',
  status: true,
  hasOwnFieldLabels: true,
  selectableFields: ['spec.unschedulable'],
  subresources: { connections: { proxy: nodeProxy(isGlobalUnicast) } },
  columns: nodeColumns,
  moreColumns: [versionColumn],
  wideColumns: wideNodeColumns,
  applyDefaults: defaultNode,
  admit: { create: admitNode },
  validate: validateNode,
  validateChange: validateNodeChange,
});

function defaultReplicationController({ metadata, spec }: ReplicationController): void {
  spec.replicas ??= 1;
  const labels = spec.template?.metadata.labels;
  if (labels !== undefined) {
    if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = labels;
    if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
  }
  if (spec.template) defaultPodSpec(spec.template.spec);
}

function validateReplicationController(spec: ReplicationControllerSpec): FieldError[] {
  const { selector = {}, template } = spec;
  const at = SPEC.child('template');
  const errors = [
    ...notNegative(SPEC.child('replicas'), spec.replicas).map(declarative),
    ...notNegative(SPEC.child('minReadySeconds'), spec.minReadySeconds).map(declarative),
    ...(Object.keys(selector).length === 0 ? [fieldError.required(SPEC.child('selector'))] : []),
  ];
  if (!template) return [...errors, fieldError.required(at)];
  const { labels } = template.metadata;
  if (!selectorOf({ matchLabels: selector })?.matches(labels)) {
    const detail = '`selector` does not match template `labels`';
    errors.push(fieldError.invalid(at.child('metadata', 'labels'), labels ?? null, detail));
  }
  return [...errors, ...validatePodTemplate(template, at), ...alwaysRuns(template, at)];
}
