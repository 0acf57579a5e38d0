/**
 * The variable that ties a child process to its parent. `stdin` means that standard input is a pipe from the parent, which
 * the system closes when the parent ends, even by SIGKILL; the child then stops.
 */
export const CONTROL_PIPE = 'TRIBUTARY_CONTROL_PIPE';
/** No client waits for the requests in flight of an orphaned program. */
const ORPHANED_MS = 1_000;

/** Resolves at the first signal to stop; a second one exits at once. */
export function stopSignal(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        signals += 1;
        if (signals > 1) process.exit(1);
        resolve();
      });
    }
    if (env[CONTROL_PIPE] === 'stdin') whenOrphaned(resolve);
  });
}

function whenOrphaned(stop: () => void): void {
  const pipe = process.stdin;
  const orphaned = () => {
    // The parent was also the reader of the output.
    for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
    setTimeout(() => process.exit(1), ORPHANED_MS).unref();
    stop();
  };
  pipe.once('close', orphaned);
  pipe.on('error', () => {}); // 'close' follows
  pipe.resume();
  pipe.unref(); // an open pipe does not keep the process alive
}
