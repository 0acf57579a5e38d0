import type { Collecting } from './attempt-to-delete.ts';
import { dependentsOf, type GraphNode } from './graph-node.ts';
import { ORPHAN_FINALIZER } from './observed-object.ts';
import { removeReferences } from './reference-patches.ts';
import { removeFinalizer } from './remove-finalizer.ts';

/** At the same time, for one owner: the bound on requests to one server leaves so many to each who works with it. */
const PATCHES_AT_ONCE = 4;

/** Takes the owner out of the references of all its dependents, then lets it go. */
export async function attemptToOrphan(
  owner: GraphNode,
  { live }: Pick<Collecting, 'live'>,
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
  // One reason is enough to come back for all of them.
  if (failures.length > 0) throw failures[0];
  await removeFinalizer(live, identity, ORPHAN_FINALIZER);
}
