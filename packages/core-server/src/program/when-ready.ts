import { StatusError } from '@tributary/apimachinery';
import { type Client, type Clock, sleep, systemClock } from '@tributary/client';
import type { Logger } from '@tributary/server';

const POLL_MS = 50;
const LOG_EVERY_MS = 10_000;

interface ReadyOptions {
  readonly log: Logger;
  readonly stopped: Promise<unknown>;
  readonly clock?: Clock;
}

/** Waits for `/readyz`, and periodically logs failing checks. False when the server stops first. */
export async function whenReady(
  { transport }: Client,
  { log, stopped, clock = systemClock }: ReadyOptions,
): Promise<boolean> {
  let isStopped = false;
  const stop = stopped.then(() => {
    isStopped = true;
  });
  let loggedMs = clock.nowMs();
  while (!isStopped) {
    const failing = await failingChecks(transport);
    if (failing === undefined) return true;
    if (clock.nowMs() - loggedMs >= LOG_EVERY_MS) {
      loggedMs = clock.nowMs();
      log.info('Not ready yet', { failing });
    }
    await Promise.race([sleep(clock, POLL_MS), stop]);
  }
  return false;
}

async function failingChecks(transport: Client['transport']): Promise<string | undefined> {
  try {
    await transport.request('GET', '/readyz', { retriesMax: 0 });
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const causes = error.status.details?.causes ?? [];
    const messages = causes.map(({ message }) => message).join('\n');
    const names = [...messages.matchAll(/^\[-\](\S+) failed/gm)].map(([, name]) => name);
    return names.length > 0 ? names.join(' ') : error.message;
  }
}
