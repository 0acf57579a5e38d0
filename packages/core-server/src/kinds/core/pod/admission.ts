/**
 * Admission of pods: service accounts, priorities, tolerations. No tokens are mounted, because nothing runs pods here.
 */

import type { Pod, PodSpec, ServiceAccount, Toleration } from '@tributary/api/core-v1';
import type { PriorityClass } from '@tributary/api/scheduling-v1';
import { plainError } from '@tributary/apimachinery';
import {
  type AdmissionResult,
  allow,
  type CreateReview,
  forbid,
  type ResourceDefinition,
  type UpdateReview,
} from '@tributary/server';
import { priorityClassKind } from '../../scheduling/priority-class/kind.ts';
import { systemPriorities } from '../../scheduling/priority-class/system-priorities.ts';
import {
  ephemeralSecretsError,
  isMirror,
  mirrorPodError,
  secretsError,
} from './service-account-secrets.ts';

const TOLERATION_SECONDS = 300;

export async function admitPod(
  review: CreateReview<Pod>,
  accounts: ResourceDefinition<ServiceAccount>,
): Promise<AdmissionResult> {
  const {
    object: { spec },
    read,
  } = review;
  // The kubelet has made the mirror pod already, and would not recognize it with an account.
  const reason = isMirror(review.object)
    ? mirrorPodError(review.object)
    : await applyServiceAccount(review, accounts);
  if (reason !== undefined) return forbid(reason);
  const chosen = await priorityOf(spec, read);
  if (chosen === undefined) {
    return forbid(`no PriorityClass with name ${spec.priorityClassName} was found`);
  }
  if (chosen.name !== undefined) spec.priorityClassName = chosen.name;
  spec.priority = chosen.value;
  spec.preemptionPolicy ??= chosen.preemptionPolicy;
  tolerateEviction(spec);
  return allow;
}

/** Sets the service account and its pull secrets; returns the reason when the pod is not allowed. */
async function applyServiceAccount(
  { object: { spec }, namespace, read }: CreateReview<Pod>,
  accounts: ResourceDefinition<ServiceAccount>,
): Promise<string | undefined> {
  spec.serviceAccountName ||= 'default';
  spec.serviceAccount = spec.serviceAccountName;
  const name = spec.serviceAccountName;
  const account = await read(accounts).get(name, namespace);
  if (account === undefined) return missingAccount(name, namespace);
  if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length) {
    spec.imagePullSecrets = account.imagePullSecrets.map(({ name = '' }) => ({ name }));
  }
  return secretsError(spec, account);
}

function missingAccount(name: string, namespace: string): string {
  const reason = `serviceaccount "${name}" not found`;
  return `error looking up service account ${namespace}/${name}: ${reason}`;
}

/** Ephemeral containers may use only the Secrets that the pod may. */
export async function admitEphemeralContainers(
  { object, namespace, read }: UpdateReview<Pod>,
  accounts: ResourceDefinition<ServiceAccount>,
): Promise<AdmissionResult> {
  const { serviceAccountName: name } = object.spec;
  if (isMirror(object)) return allow; // Validation refuses ephemeral containers of mirror pods.
  if (!name)
    return forbid(`no service account specified for pod ${namespace}/${object.metadata.name}`);
  const account = await read(accounts).get(name, namespace);
  if (account === undefined) return forbid(missingAccount(name, namespace));
  const reason = ephemeralSecretsError(object.spec, account);
  if (reason !== undefined) throw plainError(reason); // Upstream's error is not a Forbidden one.
  return allow;
}

/** Values set by admission stay when an update lacks them. */
export function admitPodUpdate({
  object,
  oldObject,
  subresource,
}: UpdateReview<Pod>): AdmissionResult {
  if (subresource === 'status') restoreOwners(object, oldObject);
  if (subresource !== '') return allow;
  const { priority, preemptionPolicy } = oldObject.spec;
  if (priority !== undefined) object.spec.priority ??= priority;
  if (preemptionPolicy !== undefined) object.spec.preemptionPolicy ??= preemptionPolicy;
  tolerateEviction(object.spec);
  return allow;
}

/** A status update cannot change the owners. */
function restoreOwners(object: Pod, { metadata: { ownerReferences } }: Pod): void {
  const { ownerReferences: _sent, ...metadata } = object.metadata;
  object.metadata = ownerReferences === undefined ? metadata : { ...metadata, ownerReferences };
}

interface Priority {
  readonly name?: string;
  readonly value: number;
  readonly preemptionPolicy: string;
}

/** The priority of the pod's class, or of the default class. */
async function priorityOf(
  { priorityClassName: name }: PodSpec,
  read: CreateReview<Pod>['read'],
): Promise<Priority | undefined> {
  const classes = read(priorityClassKind);
  if (name) {
    const system = systemPriorities.get(name);
    const stored = await classes.get(name);
    if (stored !== undefined) return ofClass(stored);
    return system === undefined ? undefined : { name, value: system, preemptionPolicy: PREEMPT };
  }
  const defaults = (await classes.list()).filter(({ globalDefault }) => globalDefault);
  // Upstream takes the lowest of several defaults.
  const [least] = defaults.sort((a, b) => a.value - b.value);
  return least === undefined ? { value: 0, preemptionPolicy: PREEMPT } : ofClass(least);
}

const PREEMPT = 'PreemptLowerPriority';

function ofClass({ metadata, value, preemptionPolicy = PREEMPT }: PriorityClass): Priority {
  return { ...(metadata.name !== undefined && { name: metadata.name }), value, preemptionPolicy };
}

/** A pod stays for five minutes on a node that is not ready or unreachable. */
function tolerateEviction(spec: PodSpec): void {
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
    const tolerations = spec.tolerations ?? [];
    if (tolerations.some((one) => toleratesEviction(one, key))) continue;
    spec.tolerations = [
      ...tolerations,
      { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: TOLERATION_SECONDS },
    ];
  }
}

function toleratesEviction({ key = '', effect = '' }: Toleration, wanted: string): boolean {
  return (key === wanted || key === '') && (effect === 'NoExecute' || effect === '');
}
