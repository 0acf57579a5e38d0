import { readFileSync } from 'node:fs';

/** Linux counts in ticks of 10 ms on all platforms of Node. */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU that a process has used so far, in user and kernel mode. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command name, in parentheses, may contain any character; only numbers follow.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0] = fields.slice(11, 13).map(Number);
  return (user + system) / TICKS_PER_SECOND;
}

export function residentBytes(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? Number.NaN) * 1024;
}
