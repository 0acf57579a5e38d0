import type { ListBodyCache } from './list-body-cache.ts';

/** What the answers of a server have in common. */
export interface AnswerSettings {
  /** For ages. */
  readonly nowMs: () => number;
  readonly listBodies: ListBodyCache;
  /** Told of what went wrong in an author's code where the answer could do without. */
  readonly reportProblem: (error: unknown) => void;
}

export function nowMsOf({ answers }: { readonly answers?: AnswerSettings }): number {
  return answers === undefined ? Date.now() : answers.nowMs();
}
