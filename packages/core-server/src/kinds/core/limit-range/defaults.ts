import type { LimitRangeItem } from '@tributary/api/core-v1';

/** The maximum is the default limit, and the default limit the default request. */
export function defaultLimit(limit: LimitRangeItem): void {
  if (limit.type !== 'Container') return;
  const standard = { ...limit.max, ...limit.default };
  limit.default = standard;
  limit.defaultRequest = { ...limit.min, ...standard, ...limit.defaultRequest };
}
