import type { Node } from '@tributary/api/core-v1';

export function defaultNode({ spec, status }: Node): void {
  if (status.capacity && !status.allocatable) status.allocatable = status.capacity;
  // The older field and the first item of the list are the same.
  if (spec.podCIDR) spec.podCIDRs ??= [spec.podCIDR];
  const [first] = spec.podCIDRs ?? [];
  if (first !== undefined) spec.podCIDR = first;
}
