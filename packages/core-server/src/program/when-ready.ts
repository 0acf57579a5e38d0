import { StatusError } from '@tributary/apimachinery';
import { type Client, type Clock, sleep, systemClock } from '@tributary/client';
import type { Logger } from '@tributary/server';

const LOOK_MS = 50;
const SAY_EVERY_MS = 10_000;

interface ReadyOptions {
  readonly log: Logger;
  readonly stopped: Promise<unknown>;
  readonly clock?: Clock;
}

/** Waits for every check of `/readyz`, and says in the log what is waited for long. False when it is to stop first. */
export async function whenReady(
  { transport }: Client,
  { log, stopped, clock = systemClock }: ReadyOptions,
): Promise<boolean> {
  let isStopped = false;
  const stop = stopped.then(() => {
    isStopped = true;
  });
  let saidMs = clock.nowMs();
  while (!isStopped) {
    const failing = await failingChecks(transport);
    if (failing === undefined) return true;
    if (clock.nowMs() - saidMs >= SAY_EVERY_MS) {
      saidMs = clock.nowMs();
      log.info('Not ready yet', { failing });
    }
    await Promise.race([sleep(clock, LOOK_MS), stop]);
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
    const said = causes.map(({ message }) => message).join('\n');
    const names = [...said.matchAll(/^\[-\](\S+) failed/gm)].map(([, name]) => name);
    return names.length > 0 ? names.join(' ') : error.message;
  }
}
