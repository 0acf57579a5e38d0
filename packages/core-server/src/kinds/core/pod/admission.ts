/** What upstream's admission asks of every pod, and adds to it. Tokens are not mounted: nothing here reads them. */

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
  ephemeralSecretsRefusal,
  isMirror,
  mirrorRefusal,
  secretsRefusal,
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
  // The kubelet has a mirror already, and would not know it again with an account.
  const why = isMirror(review.object)
    ? mirrorRefusal(review.object)
    : await useAccount(review, accounts);
  if (why !== undefined) return forbid(why);
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

/** Gives a pod its account and what comes with it; why it may not have it. */
async function useAccount(
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
  return secretsRefusal(spec, account);
}

function missingAccount(name: string, namespace: string): string {
  const why = `serviceaccount "${name}" not found`;
  return `error looking up service account ${namespace}/${name}: ${why}`;
}

/** Containers that are added later may not use more than those that came with the pod. */
export async function admitEphemeralContainers(
  { object, namespace, read }: UpdateReview<Pod>,
  accounts: ResourceDefinition<ServiceAccount>,
): Promise<AdmissionResult> {
  const { serviceAccountName: name } = object.spec;
  if (isMirror(object)) return allow; // it may have none of them, which is said when it is validated
  if (!name)
    return forbid(`no service account specified for pod ${namespace}/${object.metadata.name}`);
  const account = await read(accounts).get(name, namespace);
  if (account === undefined) return forbid(missingAccount(name, namespace));
  const why = ephemeralSecretsRefusal(object.spec, account);
  if (why !== undefined) throw plainError(why); // upstream forgets to say that it is forbidden
  return allow;
}

/** What was added once is not missed when a client sends a pod without it. */
export function admitPodUpdate({
  object,
  oldObject,
  subresource,
}: UpdateReview<Pod>): AdmissionResult {
  if (subresource === 'status') keepOwners(object, oldObject);
  if (subresource !== '') return allow;
  const { priority, preemptionPolicy } = oldObject.spec;
  if (priority !== undefined) object.spec.priority ??= priority;
  if (preemptionPolicy !== undefined) object.spec.preemptionPolicy ??= preemptionPolicy;
  tolerateEviction(object.spec);
  return allow;
}

/** Who reports how a pod is doing does not decide whose it is. */
function keepOwners(object: Pod, { metadata: { ownerReferences } }: Pod): void {
  const { ownerReferences: _sent, ...metadata } = object.metadata;
  object.metadata = ownerReferences === undefined ? metadata : { ...metadata, ownerReferences };
}

interface Priority {
  readonly name?: string;
  readonly value: number;
  readonly preemptionPolicy: string;
}

/** By the class that the pod names, or the one for all that name none. */
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
  // Of several, upstream takes the least important.
  const [least] = defaults.sort((a, b) => a.value - b.value);
  return least === undefined ? { value: 0, preemptionPolicy: PREEMPT } : ofClass(least);
}

const PREEMPT = 'PreemptLowerPriority';

function ofClass({ metadata, value, preemptionPolicy = PREEMPT }: PriorityClass): Priority {
  return { ...(metadata.name !== undefined && { name: metadata.name }), value, preemptionPolicy };
}

/** A pod stays for a while on a node that is not heard of. */
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
