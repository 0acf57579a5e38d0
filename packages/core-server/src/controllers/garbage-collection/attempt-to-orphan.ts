import type { CollectorContext } from './attempt-to-delete.ts';
import { dependentsOf, type GraphNode } from './graph-node.ts';
import { ORPHAN_FINALIZER } from './observed-object.ts';
import { removeReferences } from './reference-patches.ts';
import { removeFinalizer } from './remove-finalizer.ts';

/** Concurrent patches of one owner's dependents; the limit of requests per server allows this many for each seat. */
const PATCHES_AT_ONCE = 4;

/** Removes the owner from the references of all dependents, then removes its finalizer. */
export async function attemptToOrphan(
  owner: GraphNode,
  { live }: Pick<CollectorContext, 'live'>,
): Promise<void> {
  const { identity } = owner;
  const failures: unknown[] = [];
  const turn = dependentsOf(owner).values();
  const orphanSome = async () => {
    for (const dependent of turn) {
      try {
        await removeReferences(live, dependent.identity, [identity.uid]);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: PATCHES_AT_ONCE }, orphanSome));
  // Any failure retries the whole owner.
  if (failures.length > 0) throw failures[0];
  await removeFinalizer(live, identity, ORPHAN_FINALIZER);
}
