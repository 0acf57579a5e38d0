/**
 * A position in the history of a store: every successful commit has one, later commits have larger ones, and it never
 * decreases, not by restart, migration or restore. An integer below 2^53; an empty store has one too, above 0, because
 * clients of an API read 0 as "any".
 */
export type Revision = number & { readonly __brand: 'Revision' };

/** The revision of a key that does not exist; a requirement with it means "must not exist". */
export const ABSENT = 0 as Revision;
