import type { ListBodyCache } from './list-body-cache.ts';

/** Settings shared by all responses of a server. */
export interface ResponseSettings {
  /** The clock of Age columns. */
  readonly nowMs: () => number;
  readonly listBodies: ListBodyCache;
  /** Reports an error of an author's function that the response does not depend on. */
  readonly reportProblem: (error: unknown) => void;
}

export function nowMsOf({ responses }: { readonly responses?: ResponseSettings }): number {
  return responses === undefined ? Date.now() : responses.nowMs();
}
