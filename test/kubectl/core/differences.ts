import type { Saying } from './normalise.ts';

export function allowDifference(_run: string, ours: Saying, theirs: Saying): [Saying, Saying] {
  return [ours, theirs];
}
