import { type Clock, type ResourceType, sleep } from '@tributary/client';
import type { MetadataEvent, MetadataWatch } from '@tributary/server/http';
import type { ResourcePlace } from '@tributary/server/routing';
import { type ObservedObject, observedObject } from './observed-object.ts';

/** Creates a watch of a resource that this process stores; undefined for others. */
export type LocalMetadata = (place: ResourcePlace) => MetadataWatch | undefined;

interface LocalMonitorOptions {
  readonly localMetadata: LocalMetadata;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The complete list of objects. */
  replace(objects: readonly ObservedObject[]): void;
  apply(type: 'observed' | 'removed', object: ObservedObject): void;
  onError(error: unknown): void;
}

/** The pause between attempts, which doubles: a failure here affects every watcher. */
const PAUSE_MS = { first: 500, max: 30_000 } as const;

/** Watches a local resource until the signal fires. An error of `replace` or `apply` starts over. */
export async function watchLocal(
  resource: ResourceType,
  options: LocalMonitorOptions,
): Promise<void> {
  const { clock, signal, onError } = options;
  const following = new LocalWatch(options);
  let pauseMs: number = PAUSE_MS.first;
  while (!signal.aborted) {
    try {
      if (await following.run(resource)) pauseMs = PAUSE_MS.first;
    } catch (error) {
      if (signal.aborted) return;
      following.startOver();
      onError(error);
    }
    // A watch that ended fell behind, or its cache restarts; both take a moment.
    await sleep(clock, pauseMs, signal).catch(() => {}); // The signal fired, which the loop checks.
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS.max);
  }
}

type Sink = Pick<LocalMonitorOptions, 'localMetadata' | 'signal' | 'replace' | 'apply'>;

/** The position in the history, across several watches. */
class LocalWatch {
  readonly #sink: Sink;
  #after: MetadataEvent['revision'] | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** The next watch begins with all objects. */
  startOver(): void {
    this.#after = undefined;
  }

  /** Runs until the watch ends. Returns whether it delivered events. */
  async run({ group, version, plural }: ResourceType): Promise<boolean> {
    const { localMetadata, signal } = this.#sink;
    const watch = localMetadata({ group, version, resource: plural });
    if (watch === undefined) throw new Error(`${plural}.${group}: not stored here any more`);
    const initial: ObservedObject[] | undefined = this.#after === undefined ? [] : undefined;
    let hasEvents = false;
    for await (const events of watch({ after: this.#after, signal })) {
      hasEvents = true;
      for (const event of events) this.#apply(event, initial);
    }
    return hasEvents;
  }

  #apply(event: MetadataEvent, initial: ObservedObject[] | undefined): void {
    const isListed = this.#after !== undefined;
    if (event.type === 'BOOKMARK') {
      if (event.initialEventsEnd) this.#sink.replace(initial?.splice(0) ?? []);
    } else if (isListed) {
      const type = event.type === 'DELETED' ? 'removed' : 'observed';
      this.#sink.apply(type, observedObject(event.metadata));
    } else {
      initial?.push(observedObject(event.metadata));
      return;
    }
    this.#after = event.revision;
  }
}
