import type { FlowSchema } from '@tributary/api/flowcontrol-v1';

/** The matching order: lowest precedence first, then by name. */
export function byPrecedence(a: FlowSchema, b: FlowSchema): number {
  const difference = a.spec.matchingPrecedence - b.spec.matchingPrecedence;
  if (difference !== 0) return difference;
  const [first = '', second = ''] = [a.metadata.name, b.metadata.name];
  return first < second ? -1 : 1;
}
