/** Judges what became of objects whose owners were deleted, or were not. */

export interface Owner {
  readonly uid: string;
  /** The requested fate; a deletion without a response is `unknown`. */
  readonly fate: 'kept' | 'deleted' | 'unknown';
}

/** Its create was acknowledged. */
export interface Dependent {
  readonly label: string;
  readonly uid: string;
  readonly owner: string;
}

export interface OwnerHistory {
  readonly owners: readonly Owner[];
  readonly dependents: readonly Dependent[];
  /** The uids of all that is there in the end, owners included. */
  readonly final: ReadonlySet<string>;
}

export interface OwnerViolation {
  readonly rule: 'uncollected' | 'collected-wrongly';
  readonly detail: string;
}

/**
 * `uncollected`: an owner whose deletion was acknowledged, or one of its dependents, exists in the end.
 * `collected-wrongly`: a dependent whose owner was not deleted is missing, or that owner itself.
 */
export function checkOwners({ owners, dependents, final }: OwnerHistory): OwnerViolation[] {
  const fates = new Map(owners.map(({ uid, fate }) => [uid, fate]));
  const all = [
    ...owners.map(({ uid }) => ({ uid, label: `the owner ${uid}`, owner: uid })),
    ...dependents,
  ];
  return all.flatMap(({ uid, label, owner }): OwnerViolation[] => {
    const fate = fates.get(owner);
    const isThere = final.has(uid);
    if (fate === 'deleted' && isThere) return [{ rule: 'uncollected', detail: label }];
    if (fate === 'kept' && !isThere) return [{ rule: 'collected-wrongly', detail: label }];
    return [];
  });
}
