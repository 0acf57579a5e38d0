import type { Clock, Storage } from '@tributary/storage';
import type { Shutdown } from '../shutdown.ts';
import type { HealthCheck, HealthEndpoint } from './health.ts';

interface HealthSources {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly shutdown: Shutdown;
  /** When the log last wrote a line, or was empty; in milliseconds of that clock. */
  readonly logMovedMs: () => number;
}

const ALL: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];
/** As upstream: a slower store fails the check. */
const STORAGE_TIMEOUT_MS = 2_000;
const LOG_STUCK_MS = 2 * 60_000;

/** The checks of every server. Their names are upstream's, because probes exclude checks by name. */
export function serverHealthChecks(sources: HealthSources): readonly HealthCheck[] {
  const { clock, storage, shutdown, logMovedMs } = sources;
  const reachable = sharedCheck(() =>
    inTime(clock, (signal) => storage.currentRevision({ signal })),
  );
  return [
    // The response itself is this check.
    { name: 'ping', endpoints: ALL, check: () => undefined },
    {
      name: 'log',
      endpoints: ALL,
      check: () => (clock.nowMs() - logMovedMs() < LOG_STUCK_MS ? undefined : 'logging blocked'),
    },
    { name: 'etcd', group: 'etcd', endpoints: ALL, check: reachable },
    { name: 'etcd-readiness', group: 'etcd', endpoints: ['readyz'], check: reachable },
    // A server on a full disk can still read: it is alive, but writes should go to another one.
    ...(storage.checkWritable === undefined
      ? []
      : [
          {
            name: 'storage-writable',
            endpoints: ['readyz'] as const,
            check: sharedCheck(() =>
              inTime(clock, (signal) => storage.checkWritable?.({ signal })),
            ),
          },
        ]),
    {
      name: 'shutdown',
      endpoints: ['readyz'],
      check: () => (shutdown.hasBegun ? 'process is shutting down' : undefined),
    },
  ];
}

/** Concurrent probes share one request to the store. */
function sharedCheck(check: () => Promise<string | undefined>): () => Promise<string | undefined> {
  let running: Promise<string | undefined> | undefined;
  return () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** The error of a storage request with a timeout. */
async function inTime(
  clock: Clock,
  run: (signal: AbortSignal) => Promise<unknown> | undefined,
): Promise<string | undefined> {
  const late = new AbortController();
  const cancel = clock.schedule(STORAGE_TIMEOUT_MS, () => late.abort());
  try {
    await run(late.signal);
    return undefined;
  } catch (error) {
    if (late.signal.aborted) return 'the store did not respond in time';
    return error instanceof Error ? error.message : String(error);
  } finally {
    cancel();
  }
}
