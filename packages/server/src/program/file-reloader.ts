import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Clock, systemClock } from '@tributary/storage';
import type { Logger } from '../operations/logging/logger.ts';

export interface ReloadedFiles {
  /** For the log, such as `serving certificate`. */
  readonly name: string;
  /** Read together: a certificate is useless without its key. */
  readonly paths: readonly string[];
  /** Applies new contents. When it throws, everything stays as it was. */
  readonly apply: (contents: readonly string[]) => void;
}

interface ReloadOptions {
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly clock?: Clock;
}

/** As upstream: the poll for systems and file systems without change notifications. */
const POLL_MS = 60_000;
/** Two files are replaced one after the other. */
const DEBOUNCE_MS = 200;

/** Reads files again when they change, until it is disposed. */
export async function reloadFiles(
  files: ReloadedFiles,
  options: ReloadOptions,
): Promise<Disposable> {
  const absolute = { ...files, paths: files.paths.map((path) => resolve(path)) };
  return new FileReloader(absolute, await readAll(absolute.paths), options);
}

class FileReloader implements Disposable {
  readonly #files: ReloadedFiles;
  readonly #log: ReloadOptions['log'];
  readonly #clock: Clock;
  readonly #watchers: readonly FSWatcher[];
  #contents: readonly string[];
  #cancelTimer = () => {};
  #isReading = false;
  #hasChangedMeanwhile = false;
  #isDisposed = false;

  constructor(
    files: ReloadedFiles,
    contents: readonly string[],
    { log, clock = systemClock }: ReloadOptions,
  ) {
    this.#files = files;
    this.#contents = contents;
    this.#log = log;
    this.#clock = clock;
    // The directories and not the files: mounted secrets are symbolic links, which are replaced.
    const directories = new Set(files.paths.map((path) => dirname(path)));
    this.#watchers = [...directories].flatMap((directory) =>
      watchDirectory(directory, () => this.#readIn(DEBOUNCE_MS)),
    );
    this.#readIn(POLL_MS);
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#cancelTimer();
    for (const watcher of this.#watchers) watcher.close();
  }

  #readIn(delayMs: number): void {
    if (this.#isReading) {
      this.#hasChangedMeanwhile = true;
      return;
    }
    this.#cancelTimer();
    if (this.#isDisposed) return;
    this.#cancelTimer = this.#clock.schedule(delayMs, () => {
      this.#isReading = true;
      void this.#read().finally(() => {
        this.#isReading = false;
        this.#readIn(this.#hasChangedMeanwhile ? DEBOUNCE_MS : POLL_MS);
        this.#hasChangedMeanwhile = false;
      });
    });
  }

  async #read(): Promise<void> {
    const { name, paths, apply } = this.#files;
    try {
      const contents = await readAll(paths);
      const isSame = contents.every((content, index) => content === this.#contents[index]);
      if (this.#isDisposed || isSame) return;
      this.#contents = contents; // invalid contents are reported once
      apply(contents);
      this.#log.info(`Reloaded ${name}`);
    } catch (error) {
      this.#log.error(error, `Failed to reload ${name}, keeping the previous one`);
    }
  }
}

function readAll(paths: readonly string[]): Promise<string[]> {
  return Promise.all(paths.map((path) => readFile(path, 'utf8')));
}

/** Not every system supports watching, and its watches are limited; polling covers for that. */
function watchDirectory(directory: string, onChange: () => void): FSWatcher[] {
  try {
    const watcher = watch(directory, { persistent: false }, onChange);
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
