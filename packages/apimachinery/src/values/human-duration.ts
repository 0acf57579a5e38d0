/** Upstream's `duration.HumanDuration`, for ages in tables: at most two units, coarser for longer durations. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < 10 * minute)
    return pair(seconds, { unit: minute, name: 'm' }, { unit: 1, name: 's' });
  if (seconds < 3 * hour) return `${Math.trunc(seconds / minute)}m`;
  if (seconds < 8 * hour)
    return pair(seconds, { unit: hour, name: 'h' }, { unit: minute, name: 'm' });
  if (seconds < 2 * day) return `${Math.trunc(seconds / hour)}h`;
  if (seconds < 8 * day) return pair(seconds, { unit: day, name: 'd' }, { unit: hour, name: 'h' });
  if (seconds < 2 * year) return `${Math.trunc(seconds / day)}d`;
  if (seconds < 8 * year) return pair(seconds, { unit: year, name: 'y' }, { unit: day, name: 'd' });
  return `${Math.trunc(seconds / year)}y`;
}

/** The age at `nowMs` of an object created at `creationTimestamp`. */
export function humanAge(creationTimestamp: string | null | undefined, nowMs: number): string {
  if (creationTimestamp === undefined || creationTimestamp === null) return '<unknown>';
  const createdMs = Date.parse(creationTimestamp);
  return Number.isNaN(createdMs) ? '<unknown>' : humanDuration(nowMs - createdMs);
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

interface Unit {
  readonly unit: number;
  readonly name: string;
}

/** Omits the smaller unit when it is zero. */
function pair(seconds: number, large: Unit, small: Unit): string {
  const count = Math.trunc(seconds / large.unit);
  const rest = Math.trunc((seconds % large.unit) / small.unit);
  return rest === 0 ? `${count}${large.name}` : `${count}${large.name}${rest}${small.name}`;
}
