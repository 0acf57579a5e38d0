import { apiServices } from '@tributary/aggregator';
import type { APIService } from '@tributary/api/apiregistration-v1';
import { type Client, type Clock, sleep } from '@tributary/client';
import type { Sample } from './sample.ts';

export interface WaitOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** It takes longer than it should; said once. */
  readonly onLate: (why: string) => void;
  readonly signal: AbortSignal;
}

const ASK_AGAIN_MS = 100;
const LATE_MS = 15_000;
const RESPONSE_MS = 5_000;

/**
 * Resolves when requests through the aggregator arrive, for every version. The condition alone may still be the one of the
 * process before.
 */
export async function waitUntilAvailable(sample: Sample, options: WaitOptions): Promise<void> {
  const { clock, onLate, signal } = options;
  const lateAtMs = clock.nowMs() + LATE_MS;
  let isSaid = false;
  for (;;) {
    const missing = await whatIsMissing(sample, options);
    if (missing === undefined) return;
    if (!isSaid && clock.nowMs() > lateAtMs) {
      isSaid = true;
      onLate(missing);
    }
    await sleep(clock, ASK_AGAIN_MS, signal);
  }
}

async function whatIsMissing(sample: Sample, { client, signal }: WaitOptions) {
  const { group, versions, resource } = sample;
  try {
    for (const version of versions) {
      const { status } = await client
        .resource<APIService>(apiServices)
        .get(`${version}.${group}`, { signal });
      const condition = status?.conditions?.find(({ type }) => type === 'Available');
      if (condition?.status !== 'True') return condition?.message ?? 'it was not looked at yet';
      const soon = AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_MS)]);
      const type = { group, version, plural: resource, namespaced: true };
      await client.resource(type).list({ limit: 1, retriesMax: 0, signal: soon });
    }
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? error.message : String(error);
  }
}
