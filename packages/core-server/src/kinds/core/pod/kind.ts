import { Pod, type ServiceAccount } from '@tributary/api/core-v1';
import { fieldError, root } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import type { Authorizer, ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { tableColumns } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { validatePodSpec } from '../pod-template/validation.ts';
import { isGlobalUnicast } from '../shared/proxy/reachable-address.ts';
import { admitEphemeralContainers, admitPod, admitPodUpdate } from './admission.ts';
import { bindingAction } from './binding.ts';
import { podColumns, widePodColumns } from './columns.ts';
import { defaultPod } from './defaults.ts';
import { ephemeralContainersPart } from './ephemeral-containers.ts';
import { evictionAction } from './eviction.ts';
import { podLog } from './log.ts';
import { podProxy } from './proxy.ts';
import { qosClassOf } from './qos-class.ts';
import { resizePart } from './resize.ts';
import { podStreams } from './streams.ts';
import { validateNodeUnchanged, validatePodUpdate } from './validation.ts';

const SPEC = root('spec');

export interface PodParts {
  readonly authorize: Authorizer;
  /** A client of this server, available after it has started. */
  readonly client: () => Client;
  readonly nowMs: () => number;
}

const v1 = version({
  typed: Pod,
  columns: tableColumns<Pod>({ columns: podColumns, wide: widePodColumns }),
  restrictsFieldLabels: true,
  selectableFields: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    // The name of the field before v1.
    { path: 'spec.host', value: ({ spec }) => spec.nodeName ?? '' },
    'status.phase',
    { path: 'status.podIP', value: ({ status }) => status.podIP || (status.podIPs?.[0]?.ip ?? '') },
    // Upstream accepts the label and never gives it a value.
    { path: 'status.podIPs', value: () => '' },
    'status.nominatedNodeName',
  ],
  applyDefaults: defaultPod,
  prepareForCreate: (pod) => {
    pod.status = { phase: 'Pending', qosClass: qosClassOf(pod.spec) };
  },
  ...validationHooks<Pod>({
    hasStatus: true,
    validate: ({ spec }) => validatePodSpec(spec, SPEC),
    validateCreate: ({ spec }) =>
      spec.ephemeralContainers?.length
        ? [fieldError.forbidden(SPEC.child('ephemeralContainers'), 'cannot be set on create')]
        : [],
    validateUpdate: validatePodUpdate,
    validateStatusUpdate: validateNodeUnchanged,
  }),
});

/** `accounts` are the kind of ServiceAccounts: the account of a new pod must exist. */
export function podKind(accounts: ResourceDefinition<ServiceAccount>, parts: PodParts) {
  return defineResource({
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    categories: ['all'],
    scope: 'Namespaced',
    allowUnconditionalUpdate: true,
    returnsDeletedObject: true,
    // A pod that no node runs is deleted at once.
    deletionGraceSeconds: ({ spec, status }) =>
      !spec.nodeName || status.phase === 'Failed' || status.phase === 'Succeeded'
        ? 0
        : Number(spec.terminationGracePeriodSeconds ?? 0),
    subresources: {
      status: true,
      parts: {
        ephemeralcontainers: {
          ...ephemeralContainersPart,
          admit: (review) => admitEphemeralContainers(review, accounts),
        },
        resize: resizePart,
      },
      actions: { binding: bindingAction(parts.nowMs), eviction: evictionAction(parts) },
      connections: {
        ...podStreams({ ...parts, isAllowed: isGlobalUnicast }),
        log: podLog(isGlobalUnicast),
        proxy: podProxy(isGlobalUnicast),
      },
    },
    resetFields: { status: ['spec'] },
    admit: { create: (review) => admitPod(review, accounts), update: admitPodUpdate },
    versions: { v1 },
  });
}
