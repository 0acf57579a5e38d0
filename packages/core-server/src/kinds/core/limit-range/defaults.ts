import type { LimitRangeItem } from '@tributary/api/core-v1';

/** What is allowed at most is the default, and what is the default is asked for. */
export function defaultLimit(limit: LimitRangeItem): void {
  if (limit.type !== 'Container') return;
  const standard = { ...limit.max, ...limit.default };
  limit.default = standard;
  limit.defaultRequest = { ...limit.min, ...standard, ...limit.defaultRequest };
}
