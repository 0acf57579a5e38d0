import { isDeepStrictEqual } from 'node:util';
import { type Container, Pod, type PodSpec, type ServiceAccount } from '@tributary/api/core-v1';
import { type FieldError, fieldError, root } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import type { Authorizer, ResourceDefinition } from '@tributary/server';
import { podProxy } from '../../pod/pod-proxy.ts';
import { isGlobalUnicast } from '../../reach/reachable-address.ts';
import { withLines } from '../../shared/internal-form/spec-change.ts';
import { type StoredKind, storedKind } from '../../shared/stored-kind.ts';
import { defaultPodSpec } from '../pod-template/defaults.ts';
import { validatePodSpec } from '../pod-template/validation.ts';
import { admitEphemeralContainers, admitPod, admitPodUpdate } from './admission.ts';
import { bindingAction } from './binding.ts';
import { podColumns, widePodColumns } from './columns.ts';
import { ephemeralContainersPart } from './ephemeral-containers.ts';
import { evictionAction } from './eviction.ts';
import { podLog } from './log.ts';
import { qosClassOf } from './qos-class.ts';
import { resizePart } from './resize.ts';
import { podStreams } from './streams.ts';

const SPEC = root('spec');

const STORED: StoredKind<Pod> = {
  typed: Pod,
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  generation: true,
  returnsDeletedObject: true,
  // What no node has begun to run needs no time to end.
  deletionGraceSeconds: ({ spec, status }) =>
    !spec.nodeName || status.phase === 'Failed' || status.phase === 'Succeeded'
      ? 0
      : Number(spec.terminationGracePeriodSeconds ?? 0),
  status: true,
  columns: podColumns,
  wideColumns: widePodColumns,
  restrictsFieldLabels: true,
  selectableFields: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    // As clients called it before v1.
    { path: 'spec.host', value: ({ spec }) => spec.nodeName ?? '' },
    'status.phase',
    { path: 'status.podIP', value: ({ status }) => status.podIP || (status.podIPs?.[0]?.ip ?? '') },
    // Upstream knows the label and never gives it a value.
    { path: 'status.podIPs', value: () => '' },
    'status.nominatedNodeName',
  ],
  applyDefaults: ({ spec }) => {
    defaultPodSpec(spec);
    spec.enableServiceLinks ??= true;
    for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
      requestLimits(container);
      if (spec.hostNetwork) openHostPorts(container);
    }
  },
  prepareForCreate: (pod) => {
    pod.status = { phase: 'Pending', qosClass: qosClassOf(pod.spec) };
  },
  validate: ({ spec }) => validatePodSpec(spec, SPEC),
  validateNew: ({ spec }) =>
    spec.ephemeralContainers?.length
      ? [fieldError.forbidden(SPEC.child('ephemeralContainers'), 'cannot be set on create')]
      : [],
  validateChange: ({ spec }, live) => {
    const after = fixedPart(spec, live.spec);
    if (isDeepStrictEqual(after, live.spec)) return [];
    return [fieldError.forbidden(SPEC, withLines(FIXED, 'PodSpec', { before: live.spec, after }))];
  },
  validateStatus: validateNode,
};

export interface PodParts {
  readonly authorize: Authorizer;
  /** The server itself, once it is there. */
  readonly client: () => Client;
  readonly nowMs: () => number;
}

/** Whoever a pod runs as must be there. */
export function podKind(
  accounts: ResourceDefinition<ServiceAccount>,
  parts: PodParts,
): ResourceDefinition<Pod> {
  return storedKind<Pod>({
    ...STORED,
    subresources: {
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
    admit: { create: (review) => admitPod(review, accounts), update: admitPodUpdate },
  });
}

/** Of a pod itself, what is limited is also asked for. */
function requestLimits({ resources }: Container): void {
  if (resources.limits === undefined) return;
  resources.requests = { ...resources.limits, ...resources.requests };
}

function openHostPorts({ ports = [] }: Container): void {
  for (const port of ports) port.hostPort ||= port.containerPort;
}

const FIXED =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** The spec as it would be without those changes that are allowed. */
function fixedPart(next: PodSpec, live: PodSpec): PodSpec {
  const added = next.tolerations ?? [];
  const keepsTolerations = (live.tolerations ?? []).every((one) =>
    added.some((other) => isDeepStrictEqual(one, other)),
  );
  const fixed: PodSpec = { ...next, containers: withImages(next.containers, live.containers) };
  if (next.initContainers) {
    fixed.initContainers = withImages(next.initContainers, live.initContainers) ?? [];
  }
  for (const field of ['activeDeadlineSeconds', ...(keepsTolerations ? ['tolerations'] : [])]) {
    const value = live[field as keyof PodSpec];
    if (value === undefined) delete fixed[field as keyof PodSpec];
    else Object.assign(fixed, { [field]: value });
  }
  return fixed;
}

function withImages(
  next: readonly Container[] | null,
  live: readonly Container[] | null | undefined,
): Container[] | null {
  return (
    next?.map((container, index) => {
      const image = live?.[index]?.image;
      return image === undefined ? container : { ...container, image };
    }) ?? null
  );
}

function validateNode(next: Pod, live: Pod): FieldError[] {
  if (next.spec.nodeName === live.spec.nodeName) return [];
  return [fieldError.forbidden(SPEC.child('nodeName'), 'may not be changed directly')];
}
