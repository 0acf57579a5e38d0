import { StatusError } from '@tributary/apimachinery';
import { isWriteConflict } from '@tributary/client/controller';
import type { LiveObjects } from './live-objects.ts';
import { formatReference, type ObjectReference } from './object-reference.ts';

/** As upstream. */
const ATTEMPTS_MAX = 5;

/** Removes a finalizer, so that the owner is deleted. */
export async function removeFinalizer(
  live: Pick<LiveObjects, 'get' | 'patch'>,
  owner: ObjectReference,
  finalizer: string,
): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const current = await live.get(owner);
    if (current === 'absent' || current.uid !== owner.uid) return;
    const { uid, resourceVersion, finalizers = [] } = current;
    if (!finalizers.includes(finalizer)) return;
    const left = finalizers.filter((name) => name !== finalizer);
    const body = { metadata: { uid, resourceVersion, finalizers: left.length > 0 ? left : null } };
    try {
      await live.patch(owner, { kind: 'merge', body });
      return;
    } catch (error) {
      if (!(error instanceof StatusError) || !isWriteConflict(error)) throw error;
    }
  }
  throw new Error(`${formatReference(owner)} changes faster than its finalizer can be removed`);
}
