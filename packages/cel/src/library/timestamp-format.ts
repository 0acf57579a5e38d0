import type { Timestamp } from '../values/value.ts';

export const NANOSECONDS = 1_000_000_000n;

/** RFC 3339 in UTC with as many digits of the fraction as it has. */
export function formatTimestamp({ nanoseconds }: Timestamp): string {
  const fraction = ((nanoseconds % NANOSECONDS) + NANOSECONDS) % NANOSECONDS;
  const seconds = Number((nanoseconds - fraction) / NANOSECONDS);
  const head = new Date(seconds * 1000).toISOString().slice(0, 19);
  const digits = fraction.toString().padStart(9, '0').replace(/0+$/, '');
  return digits === '' ? `${head}Z` : `${head}.${digits}Z`;
}
