import type { Registration } from '../api-services/registration.ts';

/**
 * The merge order: earlier documents keep the names of their definitions. A group stands at its highest priority; its
 * versions stand together, by their own priority.
 */
export function byPriority(
  registrations: readonly Registration[],
): (one: Registration, other: Registration) => number {
  const ofGroup = new Map<string, number>();
  for (const { group, groupPriorityMinimum } of registrations) {
    ofGroup.set(group, Math.max(groupPriorityMinimum, ofGroup.get(group) ?? 0));
  }
  const priority = ({ group }: Registration) => ofGroup.get(group) ?? 0;
  return (one, other) =>
    priority(other) - priority(one) ||
    compare(one.group, other.group) ||
    other.versionPriority - one.versionPriority ||
    compare(one.name, other.name);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
