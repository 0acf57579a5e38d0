/** Process groups by number: who is in one, and ending all of it. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Living members of a group. Zombies do not count: nobody may ever collect them in a container. */
export function groupMembers(group: number): number[] {
  return listProcesses()
    .filter((process) => process.group === group && process.state !== 'Z')
    .map(({ pid }) => pid);
}

/** The group of a process, or undefined when there is no such process. */
export function groupOf(pid: number): number | undefined {
  return listProcesses().find((process) => process.pid === pid)?.group;
}

/** Whether a process lives; a zombie does not. */
export function isAlive(pid: number): boolean {
  return listProcesses().some((process) => process.pid === pid && process.state !== 'Z');
}

/** Sends a signal to every member; a group without members is left alone. */
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

/** The second field is the program's name in parentheses and may contain anything, so read after its end. */
function readStat(pid: string): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid: Number(pid), group: Number(group), state };
  } catch {
    return undefined; // It ended between the listing and the reading.
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
