/**
 * Ends process groups when this process has ended: a handler for `exit` does not run after SIGKILL or a crash. A
 * shell of a few hundred kilobytes waits for the end of its input, which the kernel delivers.
 */
import { type ChildProcess, spawn } from 'node:child_process';

const SCRIPT = `
groups=' '
while read -r verb group; do
  case $verb in
    add) groups="$groups$group " ;;
    remove) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
`;

// One per process, started with the first group: it lives as long as the process, not the test.
let reaper: ChildProcess | undefined;

export function reapAtExit(group: number): void {
  send(`add ${group}`);
}

/** Called when the group has ended, because its number may be reused. */
export function forgetGroup(group: number): void {
  send(`remove ${group}`);
}

function send(line: string): void {
  reaper ??= startReaper();
  reaper.stdin?.write(`${line}\n`);
}

function startReaper(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', SCRIPT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // Ctrl-C at the terminal must not reach it.
  });
  child.unref();
  // Typed as a stream; it is a socket, and would keep this process alive.
  if (child.stdin !== null && 'unref' in child.stdin && typeof child.stdin.unref === 'function') {
    child.stdin.unref();
  }
  // Without it only the last resort is lost: each test still ends its processes.
  child.stdin?.on('error', () => undefined);
  return child;
}
