import type { Clock, Storage } from '@tributary/storage';
import type { Shutdown } from '../shutdown.ts';
import type { HealthCheck, HealthEndpoint } from './health.ts';

export interface HealthSources {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly shutdown: Shutdown;
  /** When the log last took a line, or had none to take; in milliseconds of that clock. */
  readonly logMovedMs: () => number;
}

const ALL: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];
/** As upstream: a store that takes longer is not well. */
const STORAGE_TIMEOUT_MS = 2_000;
const LOG_STUCK_MS = 2 * 60_000;

/** What every server checks. The names are upstream's, because probes leave checks out by name. */
export function serverHealthChecks(sources: HealthSources): readonly HealthCheck[] {
  const { clock, storage, shutdown, logMovedMs } = sources;
  const reachable = sharedCheck(() =>
    inTime(clock, (signal) => storage.currentRevision({ signal })),
  );
  return [
    // That the server answers is what this check says.
    { name: 'ping', endpoints: ALL, check: () => undefined },
    {
      name: 'log',
      endpoints: ALL,
      check: () => (clock.nowMs() - logMovedMs() < LOG_STUCK_MS ? undefined : 'logging blocked'),
    },
    { name: 'etcd', group: 'etcd', endpoints: ALL, check: reachable },
    { name: 'etcd-readiness', group: 'etcd', endpoints: ['readyz'], check: reachable },
    // A server on a full disk still reads: it is alive, and writes belong to another one.
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

/** Probes that come together ask the store once. */
function sharedCheck(check: () => Promise<string | undefined>): () => Promise<string | undefined> {
  let running: Promise<string | undefined> | undefined;
  return () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** Why the store failed to do something in time. */
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
