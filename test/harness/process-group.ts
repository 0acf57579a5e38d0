/** Process groups by number: their members, and signals to all of them. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Living members of a group. Zombies do not count: a container may have no process that reaps them. */
export function groupMembers(group: number): number[] {
  return listProcesses()
    .filter((process) => process.group === group && process.state !== 'Z')
    .map(({ pid }) => pid);
}

/** The group of a process, or undefined without such a process. */
export function groupOf(pid: number): number | undefined {
  return listProcesses().find((process) => process.pid === pid)?.group;
}

/** Whether a process is alive; a zombie is not. */
export function isAlive(pid: number): boolean {
  return listProcesses().some((process) => process.pid === pid && process.state !== 'Z');
}

/** Sends a signal to every member of a group, if it has any. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}

interface ProcessEntry {
  pid: number;
  group: number;
  state: string;
}

function listProcesses(): ProcessEntry[] {
  return process.platform === 'linux' ? listFromProc() : listFromPs();
}

function listFromProc(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(name);
    if (stat !== undefined) entries.push(stat);
  }
  return entries;
}

/**
 * The second field is the program's name in parentheses and may contain anything, so the other fields follow its
 * end.
 */
function readStat(pid: string): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid: Number(pid), group: Number(group), state };
  } catch {
    return undefined; // The process ended between the listing and the reading.
  }
}

function listFromPs(): ProcessEntry[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,pgid=,state='], { encoding: 'utf8' });
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, group, state = ''] = line.trim().split(/\s+/);
      return { pid: Number(pid), group: Number(group), state: state.charAt(0) };
    });
}

export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
