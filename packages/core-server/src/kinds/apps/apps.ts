import { isDeepStrictEqual } from 'node:util';
import {
  ControllerRevision,
  DaemonSet,
  type DaemonSetSpec,
  ReplicaSet,
  type RollingUpdateStatefulSetStrategy,
  StatefulSet,
  type StatefulSetSpec,
} from '@tributary/api/apps-v1';
import {
  type FieldError,
  fieldError,
  fieldImmutable,
  goJson,
  goText,
  root,
} from '@tributary/apimachinery';
import { defaultPodSpec } from '../core/pod-template/defaults.ts';
import { notNegative } from '../core/pod-template/validate-probes.ts';
import { internalJson } from '../shared/internal-form/internal-text.ts';
import {
  column,
  containerColumns,
  count,
  labelsText,
  selectorColumn,
  shownSelector,
  validateSelection,
} from '../shared/pod-parts.ts';
import { replicaColumns, validateReplicaStatus } from '../shared/replicas.ts';
import { storedKind } from '../shared/stored-kind.ts';
import { atMostWhole, countOrPercentErrors, numberOf } from './deployment/strategy-validation.ts';

const SPEC = root('spec');
const REVISIONS = 10;
/** How often the template of a DaemonSet has changed, from before there were generations. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

export const replicaSetKind = storedKind<ReplicaSet>({
  typed: ReplicaSet,
  plural: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  generation: true,
  status: true,
  scaledBy: '.spec.selector',
  columns: replicaColumns,
  wideColumns: [
    ...containerColumns<ReplicaSet>(({ spec }) => spec.template.spec.containers),
    selectorColumn<ReplicaSet>(({ spec }) => spec.selector),
  ],
  applyDefaults: ({ spec }) => {
    spec.replicas ??= 1;
    defaultPodSpec(spec.template.spec);
  },
  validate: ({ spec }) => [
    ...notNegative(SPEC.child('replicas'), spec.replicas),
    ...notNegative(SPEC.child('minReadySeconds'), spec.minReadySeconds),
    ...validateSelection(spec, SPEC, { of: 'replicaset' }),
  ],
  validateChange: (next, live) => selectorChange(next.spec, live.spec),
  validateStatus: ({ status }) => validateReplicaStatus(status),
});

export const statefulSetKind = storedKind<StatefulSet>({
  typed: StatefulSet,
  plural: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  names: 'dns-label',
  generation: true,
  status: true,
  scaledBy: '.spec.selector',
  columns: [
    column(
      'Ready',
      'How many pods are ready, of those that are wanted',
      ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    ),
  ],
  wideColumns: containerColumns<StatefulSet>(({ spec }) => spec.template.spec.containers),
  applyDefaults: defaultStatefulSet,
  validate: ({ spec }) => [
    ...validatePolicies(spec),
    ...notNegative(SPEC.child('replicas'), spec.replicas),
    ...notNegative(SPEC.child('minReadySeconds'), spec.minReadySeconds),
    ...validateSelection(spec, SPEC, { of: 'statefulset' }),
  ],
  validateChange: ({ spec }, live) => fixedPartChange(spec, live.spec),
  validateStatus: ({ status }) => validateReplicaStatus(status),
});

export const daemonSetKind = storedKind<DaemonSet>({
  typed: DaemonSet,
  plural: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  generation: true,
  status: true,
  columns: [
    count(
      'Desired',
      'On how many nodes it should run',
      ({ status }) => status.desiredNumberScheduled,
    ),
    count('Current', 'On how many nodes it is', ({ status }) => status.currentNumberScheduled),
    count('Ready', 'On how many nodes it is ready', ({ status }) => status.numberReady),
    count(
      'Up-to-date',
      'On how many nodes it has the present template',
      ({ status }) => status.updatedNumberScheduled,
    ),
    count(
      'Available',
      'On how many nodes it has been ready for long enough',
      ({ status }) => status.numberAvailable,
    ),
    column('Node Selector', 'Which nodes it is for', ({ spec }) =>
      labelsText(spec.template.spec.nodeSelector),
    ),
  ],
  wideColumns: [
    ...containerColumns<DaemonSet>(({ spec }) => spec.template.spec.containers),
    selectorColumn<DaemonSet>(({ spec }) => spec.selector),
  ],
  versionAnnotations: [TEMPLATE_GENERATION],
  applyDefaults: defaultDaemonSet,
  validate: ({ spec }) => [
    ...validateSelection(spec, SPEC, { of: 'daemonset', mayBeMissing: true }),
    ...notNegative(SPEC.child('minReadySeconds'), spec.minReadySeconds),
    ...validateStrategy(spec),
    ...notNegative(SPEC.child('revisionHistoryLimit'), spec.revisionHistoryLimit),
  ],
  prepareForUpdate: (next, live) => {
    const before = Number(live.metadata.annotations?.[TEMPLATE_GENERATION] ?? 0);
    const isSame = isDeepStrictEqual(next.spec.template, live.spec.template);
    noteTemplate(next, isSame ? before : before + 1);
  },
  validateChange: (next, live) => selectorChange(next.spec, live.spec),
  changesFirst: true,
});

export const controllerRevisionKind = storedKind<ControllerRevision>({
  typed: ControllerRevision,
  metadataOnUpdate: 'twice',
  plural: 'controllerrevisions',
  columns: [
    column('Controller', 'Whose state it is', ({ metadata }) => {
      const owner = metadata.ownerReferences?.find(({ controller }) => controller);
      if (owner === undefined) return '<none>';
      const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0]}` : '';
      return `${owner.kind.toLowerCase()}${group}/${owner.name}`;
    }),
    column('Revision', 'Which state of many', ({ revision }) => Number(revision)),
  ],
  validate: ({ data, revision }) => [
    ...notNegative(root('revision'), revision),
    ...(data === undefined || data === null
      ? [fieldError.required(root('data'), 'data is mandatory')]
      : []),
  ],
  immutable: ['data'],
});

function selectorChange(next: SelectorSpec, live: SelectorSpec): FieldError[] {
  if (isDeepStrictEqual(next.selector, live.selector)) return [];
  return [fieldError.invalid(SPEC.child('selector'), shownSelector(next.selector), fieldImmutable)];
}

type SelectorSpec = Pick<DaemonSetSpec, 'selector'>;

function noteTemplate({ metadata }: DaemonSet, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

function defaultStatefulSet({ spec }: StatefulSet): void {
  spec.podManagementPolicy ||= 'OrderedReady';
  if (!spec.updateStrategy.type) {
    spec.updateStrategy.type = 'RollingUpdate';
    spec.updateStrategy.rollingUpdate ??= {};
  }
  const { type, rollingUpdate } = spec.updateStrategy;
  if (type === 'RollingUpdate' && rollingUpdate) {
    rollingUpdate.partition ??= 0;
    rollingUpdate.maxUnavailable ??= 1;
  }
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= 'Retain';
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= REVISIONS;
  defaultPodSpec(spec.template.spec);
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion = 'v1';
    claim.kind = 'PersistentVolumeClaim';
    claim.status.phase ||= 'Pending';
    claim.spec.volumeMode ??= 'Filesystem';
  }
}

function defaultDaemonSet({ metadata, spec }: DaemonSet): void {
  metadata.annotations = { [TEMPLATE_GENERATION]: '1', ...metadata.annotations };
  spec.updateStrategy.type ||= 'RollingUpdate';
  if (spec.updateStrategy.type === 'RollingUpdate') {
    spec.updateStrategy.rollingUpdate ??= {};
    spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1;
    spec.updateStrategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= REVISIONS;
  defaultPodSpec(spec.template.spec);
}

const POD_POLICIES = ['OrderedReady', 'Parallel'];
const STRATEGIES = ['RollingUpdate', 'OnDelete'];

function validatePolicies({
  podManagementPolicy = '',
  updateStrategy,
}: StatefulSetSpec): FieldError[] {
  const { type = '', rollingUpdate } = updateStrategy;
  const errors: FieldError[] = [];
  if (!POD_POLICIES.includes(podManagementPolicy)) {
    const detail = "must be 'OrderedReady' or 'Parallel'";
    errors.push(fieldError.invalid(SPEC.child('podManagementPolicy'), podManagementPolicy, detail));
  }
  if (!STRATEGIES.includes(type)) {
    const detail = "must be 'RollingUpdate' or 'OnDelete'";
    errors.push(fieldError.invalid(SPEC.child('updateStrategy'), shownStrategy(type), detail));
  }
  if (type === 'RollingUpdate' && rollingUpdate) errors.push(...validateRolling(rollingUpdate));
  return errors;
}

function validateRolling({
  partition,
  maxUnavailable = 1,
}: RollingUpdateStatefulSetStrategy): FieldError[] {
  const path = SPEC.child('updateStrategy', 'rollingUpdate');
  const unavailable = path.child('maxUnavailable');
  return [
    ...notNegative(path.child('partition'), partition),
    ...countOrPercentErrors(unavailable, maxUnavailable),
    ...(numberOf(maxUnavailable) === 0
      ? [fieldError.invalid(unavailable, maxUnavailable, 'cannot be 0')]
      : []),
    ...atMostWhole(unavailable, maxUnavailable),
  ];
}

function validateStrategy({ updateStrategy: { type = '' } }: DaemonSetSpec): FieldError[] {
  if (STRATEGIES.includes(type)) return [];
  return [fieldError.notSupported(SPEC.child('updateStrategy'), shownStrategy(type), STRATEGIES)];
}

/** As upstream's own form of it prints. */
function shownStrategy(type: string) {
  return goText(`{"Type":${goJson(type)},"RollingUpdate":null}`);
}

/** What of a StatefulSet stays as it was created, as upstream shows it. */
const FIXED: Readonly<Partial<Record<keyof StatefulSetSpec, (spec: StatefulSetSpec) => unknown>>> =
  {
    selector: ({ selector }) => shownSelector(selector),
    volumeClaimTemplates: ({ volumeClaimTemplates }) =>
      volumeClaimTemplates
        ? goText(internalJson('PersistentVolumeClaim', volumeClaimTemplates))
        : null,
    serviceName: ({ serviceName }) => serviceName ?? '',
    podManagementPolicy: ({ podManagementPolicy }) => podManagementPolicy ?? '',
  };

function fixedPartChange(next: StatefulSetSpec, live: StatefulSetSpec): FieldError[] {
  return Object.entries(FIXED).flatMap(([name, shown]) => {
    const field = name as keyof StatefulSetSpec;
    if (isDeepStrictEqual(next[field], live[field])) return [];
    return [fieldError.invalid(SPEC.child(name), shown(next), fieldImmutable)];
  });
}
