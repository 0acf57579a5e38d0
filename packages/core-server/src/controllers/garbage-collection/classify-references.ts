import type { ObjectMeta, OwnerReference } from '@tributary/apimachinery';
import { NamespacedOwner } from './errors.ts';
import type { LiveObjects } from './live-objects.ts';
import { type ObjectReference, referenceOf } from './object-reference.ts';
import { observedObject } from './observed-object.ts';
import type { ReferenceCache } from './reference-cache.ts';

export interface ClassifiedReferences {
  /** The owner exists and does not wait for its dependents. */
  readonly solid: readonly OwnerReference[];
  /** The server reports that the owner does not exist, or has another uid. */
  readonly dangling: readonly OwnerReference[];
  /** The owner is in foreground deletion. */
  readonly waiting: readonly OwnerReference[];
}

interface ClassifyOptions {
  readonly live: Pick<LiveObjects, 'get' | 'resourceOf'>;
  readonly absentOwners: ReferenceCache;
}

/** Reads the owners from their servers. Errors are thrown: a guess could delete an object. */
export async function classifyReferences(
  item: ObjectReference,
  references: readonly OwnerReference[],
  options: ClassifyOptions,
): Promise<ClassifiedReferences> {
  const solid: OwnerReference[] = [];
  const dangling: OwnerReference[] = [];
  const waiting: OwnerReference[] = [];
  for (const reference of references) {
    const owner = await lookUpOwner(item, reference, options);
    if (owner === 'absent') dangling.push(reference);
    else if (observedObject(owner).isForeground) waiting.push(reference);
    else solid.push(reference);
  }
  return { solid, dangling, waiting };
}

async function lookUpOwner(
  item: ObjectReference,
  reference: OwnerReference,
  { live, absentOwners }: ClassifyOptions,
): Promise<ObjectMeta | 'absent'> {
  const inNamespace = referenceOf(reference, item.namespace);
  const inNone = referenceOf(reference, '');
  if (absentOwners.has(inNone) || absentOwners.has(inNamespace)) return 'absent';
  const { namespaced } = live.resourceOf(reference.apiVersion, reference.kind);
  if (namespaced && item.namespace === '') throw new NamespacedOwner();
  const place = namespaced ? inNamespace : inNone;
  const owner = await live.get(place);
  if (owner !== 'absent' && owner.uid === reference.uid) return owner;
  absentOwners.add(place);
  return 'absent';
}
