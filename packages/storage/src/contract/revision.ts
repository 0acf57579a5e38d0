/**
 * A position in the history of a whole store: every successful commit has one, later commits have
 * larger ones, and it never goes back, not by restart, migration or restore. An integer below 2^53;
 * an empty store has one too, above 0, because clients of an API read 0 as "any".
 */
export type Revision = number & { readonly __brand: 'Revision' };

/** The revision of what does not exist; as an expectation it means "must not exist". */
export const ABSENT = 0 as Revision;
