import type { Answer, Look, Route } from './look.ts';

/** As the aggregator does, or through it where the server or the certificate is not at hand. */
export type Asking =
  | { readonly how: 'directly'; readonly route: Route }
  | { readonly how: 'through' };

export interface Asked {
  readonly path: string;
  readonly as: keyof typeof GROUPS;
}

const GROUPS = {
  administrator: ['system:masters'],
  'ordinary user': ['system:authenticated'],
} as const;

/** Longer than an aggregator waits, so that slow and silent are told apart. */
const TIMEOUT_MS = 10_000;

export function askAs(look: Look, asking: Asking, { path, as }: Asked): Promise<Answer> {
  const question = { path, timeoutMs: TIMEOUT_MS };
  if (asking.how === 'through') return look.askThrough(question);
  return look.ask(asking.route, { ...question, groups: GROUPS[as] });
}
