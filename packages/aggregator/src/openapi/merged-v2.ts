import type { Clock } from '@tributary/client';
import type { Logger } from '@tributary/server';
import { jsonForm, type Published, protobufFormV2 } from '@tributary/server/openapi';
import type { DocumentThread } from './document-thread.ts';
import { mergeInThread } from './merge-in-thread.ts';
import type { HashedDocument } from './thread-jobs.ts';

export interface MergedV2Options {
  /** Made at first use. */
  readonly local: () => Promise<Published>;
  /** Parts of backends, in merge order. */
  readonly parts: () => readonly { readonly name: string; readonly part: HashedDocument }[];
  readonly thread: DocumentThread;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called after every merge with its duration. */
  readonly merged: (tookMs: number) => void;
}

/** The merged document of version 2, of this process and all backends. */
export interface MergedV2 {
  /**
   * The last finished document. The first request waits for a merge of the known documents, never for a backend:
   * clients that cache a document without them would miss kinds. The jobs of the thread bound the wait.
   */
  current(): Published | Promise<Published>;
  /** A part has changed. */
  changed(): void;
  close(): Promise<void>;
}

/** Merges changes in a row at once. */
export const MERGE_AFTER_MS = 100;

/** After a failure that no document causes, such as a thread without memory. */
const RETRY_MS = 10_000;

/** Merges only after the first request: most clients never send one. */
export function mergedV2(options: MergedV2Options): MergedV2 {
  const { clock, log, thread } = options;
  let finished: Published | undefined;
  let merging: Promise<void> | undefined;
  let isOutdated = true;
  let isWanted = false;
  let cancelTimer = () => {};
  let closed = false;

  const merge = async (): Promise<void> => {
    const startedMs = clock.nowMs();
    isOutdated = false;
    let restMs = MERGE_AFTER_MS;
    try {
      finished = await make();
      options.merged(clock.nowMs() - startedMs);
    } catch (error) {
      if (!closed) log.error(error, 'Merging OpenAPI v2 failed, keeping the previous document');
      isOutdated = true;
      restMs = RETRY_MS;
    }
    merging = undefined;
    // Slow merges run less often.
    if (isOutdated) mergeAfter(Math.max(restMs, clock.nowMs() - startedMs));
  };

  const make = async (): Promise<Published> => {
    const local = await options.local();
    const parts = options.parts();
    if (parts.length === 0) return local;
    const whole = { bytes: local.forms[0].bytes, hash: local.hash };
    const { json, protobuf, skipped } = await mergeInThread(thread, whole, parts);
    for (const { name, reason } of skipped) {
      log.info('Skipping OpenAPI document of API server', { apiService: name, reason });
    }
    if (json.hash === finished?.hash) return finished;
    const forms = [jsonForm(json.bytes), protobufFormV2(protobuf)] as const;
    return { hash: json.hash, modifiedMs: clock.nowMs(), forms };
  };

  const mergeAfter = (delayMs: number): void => {
    cancelTimer();
    if (closed) return;
    cancelTimer = clock.schedule(delayMs, () => {
      merging ??= merge();
    });
  };

  const first = async (): Promise<Published> => {
    isWanted = true;
    merging ??= merge();
    await merging;
    return finished ?? (await options.local()); // after a failed merge
  };

  return {
    current: () => finished ?? first(),
    changed() {
      const wasOutdated = isOutdated;
      isOutdated = true;
      if (isWanted && merging === undefined && !wasOutdated) mergeAfter(MERGE_AFTER_MS);
    },
    async close() {
      closed = true;
      cancelTimer();
      await merging;
    },
  };
}
