import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '@tributary/storage';

export interface ReloadedFiles {
  /** What they are, for the log: `serving certificate`. */
  readonly what: string;
  /** Read together: a certificate is of no use without its key. */
  readonly paths: readonly string[];
  /** Takes the new contents, or throws what is wrong with them and leaves everything as it was. */
  readonly apply: (contents: readonly string[]) => void;
}

export interface ReloadOptions {
  readonly clock: Clock;
  readonly onReloaded: (what: string) => void;
  readonly onFailed: (what: string, error: unknown) => void;
}

/** As upstream: changes are noticed at once where the system tells them, and within this time elsewhere. */
const LOOK_AGAIN_MS = 60_000;
/** Whoever replaces two files does so one after the other. */
const SETTLE_MS = 200;

/** Looks at files until it is closed, and hands on what has changed. */
export async function reloadFiles(
  files: ReloadedFiles,
  options: ReloadOptions,
): Promise<{ close(): void }> {
  const { clock, onReloaded, onFailed } = options;
  let seen = await contentsOf(files.paths);
  let cancelTimer = () => {};
  let isLooking = false;
  let hasChangedMeanwhile = false;
  let isClosed = false;

  async function look(): Promise<void> {
    try {
      const contents = await contentsOf(files.paths);
      if (isClosed || contents.every((text, index) => text === seen[index])) return;
      seen = contents; // told once, also when it is bad
      files.apply(contents);
      onReloaded(files.what);
    } catch (error) {
      onFailed(files.what, error);
    }
  }

  function lookIn(delayMs: number): void {
    if (isLooking) {
      hasChangedMeanwhile = true;
      return;
    }
    cancelTimer();
    if (!isClosed) cancelTimer = clock.schedule(delayMs, lookNow);
  }

  function lookNow(): void {
    isLooking = true;
    look().then(lookLater, lookLater);
  }

  function lookLater(): void {
    isLooking = false;
    lookIn(hasChangedMeanwhile ? SETTLE_MS : LOOK_AGAIN_MS);
    hasChangedMeanwhile = false;
  }

  // The directories and not the files: mounted secrets are links that are put in place of others.
  const watchers = [...new Set(files.paths.map((path) => dirname(path)))].flatMap((directory) =>
    watchDirectory(directory, () => lookIn(SETTLE_MS)),
  );
  lookIn(LOOK_AGAIN_MS);
  return {
    close() {
      isClosed = true;
      cancelTimer();
      for (const watcher of watchers) watcher.close();
    },
  };
}

function contentsOf(paths: readonly string[]): Promise<string[]> {
  return Promise.all(paths.map((path) => readFile(path, 'utf8')));
}

/** Not every system has them, and there may be no more to have: the clock does without. */
function watchDirectory(directory: string, onChange: () => void): FSWatcher[] {
  try {
    const watcher = watch(directory, { persistent: false }, onChange);
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
