import { type Clock, type ResourceType, sleep } from '@tributary/client';
import type { MetadataEvent, MetadataWatch } from '@tributary/server/http';
import type { ResourcePlace } from '@tributary/server/routing';
import { type ObservedObject, observedObject } from './observed-object.ts';

/** How to watch what this process keeps itself; undefined for what it does not keep. */
export type OwnMetadata = (place: ResourcePlace) => MetadataWatch | undefined;

interface OwnMonitorOptions {
  readonly ownMetadata: OwnMetadata;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** These are all objects. */
  replace(objects: readonly ObservedObject[]): void;
  apply(type: 'observed' | 'removed', object: ObservedObject): void;
  onError(error: unknown): void;
}

/** Between two attempts; they double, since what fails here fails for everybody. */
const PAUSE_MS = { first: 500, max: 30_000 } as const;

/** Follows a resource of this process until the signal fires. Whatever `replace` and `apply` throw makes it start over. */
export async function followOwn(resource: ResourceType, options: OwnMonitorOptions): Promise<void> {
  const { clock, signal, onError } = options;
  const following = new Following(options);
  let pauseMs: number = PAUSE_MS.first;
  while (!signal.aborted) {
    try {
      if (await following.run(resource)) pauseMs = PAUSE_MS.first;
    } catch (error) {
      if (signal.aborted) return;
      following.startOver();
      onError(error);
    }
    // One that was ended fell behind, or its cache restarts: either needs a moment.
    await sleep(clock, pauseMs, signal).catch(() => {}); // The signal fired, which the loop looks at.
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS.max);
  }
}

type Sink = Pick<OwnMonitorOptions, 'ownMetadata' | 'signal' | 'replace' | 'apply'>;

/** How far it has come, over as many watches as it takes. */
class Following {
  readonly #sink: Sink;
  #after: MetadataEvent['revision'] | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** The next watch begins with all objects. */
  startOver(): void {
    this.#after = undefined;
  }

  /** Until the watch ends. Whether it told anything. */
  async run({ group, version, plural }: ResourceType): Promise<boolean> {
    const { ownMetadata, signal } = this.#sink;
    const watch = ownMetadata({ group, version, resource: plural });
    if (watch === undefined) throw new Error(`${plural}.${group}: not kept here any more`);
    const initial: ObservedObject[] | undefined = this.#after === undefined ? [] : undefined;
    let isTold = false;
    for await (const events of watch({ after: this.#after, signal })) {
      isTold = true;
      for (const event of events) this.#take(event, initial);
    }
    return isTold;
  }

  #take(event: MetadataEvent, initial: ObservedObject[] | undefined): void {
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
