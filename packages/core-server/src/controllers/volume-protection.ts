/** Protects objects in use by a finalizer, which is removed when a deleted object has no users. */

import type { PersistentVolume, PersistentVolumeClaim, Pod } from '@tributary/api/core-v1';
import type { KubeObject } from '@tributary/apimachinery';
import type { ResourceType } from '@tributary/client';
import {
  type ControllerDependencies,
  isNotFound,
  isWriteConflict,
  keyedController,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  volumeAttributesClasses,
} from '@tributary/client/controller';

interface Protection<T extends KubeObject> {
  readonly name: string;
  readonly type: ResourceType;
  readonly finalizer: string;
  /** Called for deleted objects with the finalizer. */
  readonly isUsed: (object: T) => boolean | Promise<boolean>;
}

interface RunningProtection {
  readonly done: Promise<void>;
  /** Called when a user of the object with this key is gone. */
  released(key: string): void;
}

/** Adds the finalizer where admission did not, and removes it from deleted objects without users. */
function protect<T extends KubeObject>(
  { name, type, finalizer, isUsed }: Protection<T>,
  dependencies: ControllerDependencies,
): RunningProtection {
  const { client, informers, signal } = dependencies;
  const informer = informers.of<T>(type);
  const { queue, done } = keyedController(
    {
      name,
      reconcile: async (key) => {
        const object = informer.store.get(key);
        if (object === undefined) return;
        const { metadata } = object;
        const { finalizers = [], deletionTimestamp } = metadata;
        const isProtected = finalizers.includes(finalizer);
        const isDeleted = deletionTimestamp !== undefined;
        if (isProtected !== isDeleted) return;
        if (isDeleted && (await isUsed(object))) return;
        const remaining = finalizers.filter((one) => one !== finalizer);
        const next = isDeleted ? remaining : [...finalizers, finalizer];
        const place = client.resource<T>(type);
        const { namespace } = metadata;
        try {
          await (namespace === undefined ? place : place.in(namespace)).update(
            { ...object, metadata: { ...metadata, finalizers: next } },
            { signal },
          );
        } catch (error) {
          // The informer reports the other change.
          if (!isNotFound(error) && !isWriteConflict(error)) throw error;
        }
      },
    },
    dependencies,
  );
  const enqueue = ({ metadata: { namespace, name = '' } }: KubeObject) =>
    queue.add(namespace === undefined ? name : `${namespace}/${name}`);
  const subscription = informer.addHandler({
    onAdd: enqueue,
    onUpdate: (_before, after) => enqueue(after),
    onDelete: () => {},
  });
  signal.addEventListener('abort', () => subscription.close(), { once: true });
  return { done, released: (key) => queue.add(key) };
}

/** Protects volumes that are bound to a claim. */
export function runVolumeProtection(dependencies: ControllerDependencies): Promise<void> {
  const { done } = protect<PersistentVolume>(
    {
      name: 'persistentvolume-protection',
      type: persistentVolumes,
      finalizer: 'kubernetes.io/pv-protection',
      isUsed: ({ status }) => status?.phase === 'Bound',
    },
    dependencies,
  );
  return done;
}

/** A pod without a node uses no volume. */
const SCHEDULED = 'spec.nodeName!=';

/** Protects claims that a scheduled pod uses. */
export function runClaimProtection(dependencies: ControllerDependencies): Promise<void> {
  const { client, informers, signal } = dependencies;
  let followsPods = false;
  const running = protect<PersistentVolumeClaim>(
    {
      name: 'persistentvolumeclaim-protection',
      type: persistentVolumeClaims,
      finalizer: 'kubernetes.io/pvc-protection',
      isUsed: async (claim) => {
        const { namespace = '' } = claim.metadata;
        const isUsed = async () => {
          const place = client.resource<Pod>(pods).in(namespace);
          const { items } = await place.listAll({ fieldSelector: SCHEDULED, signal });
          return items.some((pod) => claimsOf(pod, claim).length > 0);
        };
        if (!(await isUsed())) return false;
        if (followsPods) return true;
        // Pods are watched from the first deleted claim in use on, because there may be many.
        followsPods = true;
        const release = (pod: Pod) => {
          for (const name of claimsOf(pod)) {
            running.released(`${pod.metadata.namespace ?? ''}/${name}`);
          }
        };
        const subscription = informers.of<Pod>(pods, SCHEDULED).addHandler({
          onAdd: () => {},
          onUpdate: (before, after) => {
            release(before);
            release(after);
          },
          onDelete: release,
        });
        signal.addEventListener('abort', () => subscription.close(), { once: true });
        await subscription.whenSynced();
        return isUsed();
      },
    },
    dependencies,
  );
  return running.done;
}

/** The names of the claims that a pod uses, or of one claim among them. */
function claimsOf(pod: Pod, claim?: PersistentVolumeClaim): readonly string[] {
  const { metadata, spec } = pod;
  // The node has finished such a pod, which may wait for a finalizer on this very claim.
  const isShutDown =
    metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
  const names = (spec.volumes ?? []).flatMap((volume) => {
    if (volume.persistentVolumeClaim) return [volume.persistentVolumeClaim.claimName];
    if (!volume.ephemeral || (claim && (isShutDown || !isMadeFor(pod, claim)))) return [];
    return [`${metadata.name}-${volume.name}`];
  });
  return claim === undefined ? names : names.filter((name) => name === claim.metadata.name);
}

/** The claim of an ephemeral volume is owned by its pod; another claim may have its name. */
function isMadeFor(pod: Pod, { metadata: { ownerReferences = [] } }: PersistentVolumeClaim) {
  return ownerReferences.some(({ controller, uid }) => controller && uid === pod.metadata.uid);
}

/** Protects classes that a claim or a volume names. */
export function runVolumeAttributesClassProtection(
  dependencies: ControllerDependencies,
): Promise<void> {
  const { informers, signal } = dependencies;
  const claims = informers.of<PersistentVolumeClaim>(persistentVolumeClaims);
  const volumes = informers.of<PersistentVolume>(persistentVolumes);
  const { done, released } = protect<KubeObject>(
    {
      name: 'volumeattributesclass-protection',
      type: volumeAttributesClasses,
      finalizer: 'kubernetes.io/vac-protection',
      isUsed: async ({ metadata: { name = '' } }) => {
        await Promise.all([claims.whenSynced(signal), volumes.whenSynced(signal)]);
        return (
          volumes.store.list().some((volume) => classesOfVolume(volume).includes(name)) ||
          claims.store.list().some((claim) => classesOfClaim(claim).includes(name))
        );
      },
    },
    dependencies,
  );
  const releasing = <T extends KubeObject>(classesOf: (object: T) => readonly string[]) => ({
    onAdd: () => {},
    onUpdate: (before: T) => classesOf(before).forEach(released),
    onDelete: (object: T) => classesOf(object).forEach(released),
  });
  const subscriptions = [
    claims.addHandler(releasing(classesOfClaim)),
    volumes.addHandler(releasing(classesOfVolume)),
  ];
  const close = () => {
    for (const subscription of subscriptions) subscription.close();
  };
  signal.addEventListener('abort', close, { once: true });
  return done;
}

function classesOfClaim({ spec, status }: PersistentVolumeClaim): readonly string[] {
  return [
    spec.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name): name is string => Boolean(name));
}

function classesOfVolume({ spec }: PersistentVolume): readonly string[] {
  return spec.volumeAttributesClassName ? [spec.volumeAttributesClassName] : [];
}
