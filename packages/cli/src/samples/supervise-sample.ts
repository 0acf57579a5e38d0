import { type Clock, sleep } from '@tributary/client';
import { restartDelayMs } from './restart-delay.ts';
import type { SampleLog } from './sample-log.ts';
import { type SampleProcess, startSampleProcess } from './sample-process.ts';

/** The control plane as a sample uses it, and messages for people. */
export interface Supervision {
  readonly file: string;
  readonly log: SampleLog;
  readonly clock: Clock;
  /** Everything that must be in place before the program starts; resolves with its arguments. */
  prepare(signal: AbortSignal): Promise<readonly string[]>;
  /** Says where it listens now, or that it does not. */
  publish(port: number | undefined, signal: AbortSignal): Promise<void>;
  /** While it runs; ends by throwing when the signal fires. */
  accompany(signal: AbortSignal): Promise<void>;
  /** A line for the person at the terminal. */
  print(line: string): void;
}

/** From sources on a busy machine a start takes some seconds. */
const LISTEN_MS = 60_000;

/** Runs a sample, again and again, until the signal fires. */
export async function superviseSample(
  supervision: Supervision,
  signal: AbortSignal,
): Promise<void> {
  const { clock, print } = supervision;
  let delayMs: number | undefined;
  while (!signal.aborted) {
    const startedMs = clock.nowMs();
    const why = await runOnce(supervision, signal).catch(messageOf);
    if (signal.aborted) return;
    delayMs = restartDelayMs(delayMs, clock.nowMs() - startedMs);
    print(`${why}; it is started again in ${delayMs / 1000} s`);
    await Promise.all([
      supervision.publish(undefined, signal).catch(() => {}), // the port that is there leads nowhere either
      sleep(clock, delayMs, signal).catch(() => {}), // the loop sees that it is over
    ]);
  }
}

/** One life of the program. Resolves with why it is over. */
async function runOnce(supervision: Supervision, signal: AbortSignal): Promise<string> {
  const { file, log, clock } = supervision;
  const args = await supervision.prepare(signal);
  signal.throwIfAborted();
  const child = startSampleProcess({ file, args }, { log, clock });
  const over = new AbortController();
  const stop = () => over.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const goneFirst = child.ended.then((why) => {
    over.abort(new Error(why));
    return why;
  });
  try {
    const port = await portOf(child, clock, over.signal);
    await supervision.publish(port, over.signal);
    await supervision.accompany(over.signal);
    return await goneFirst;
  } catch (error) {
    if (over.signal.aborted) return messageOf(over.signal.reason);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await child.stop();
  }
}

async function portOf(child: SampleProcess, clock: Clock, signal: AbortSignal): Promise<number> {
  const late = sleep(clock, LISTEN_MS, signal);
  const port = await Promise.race([child.listening, late]);
  late.catch(() => {}); // fires with the signal, after the last waiter
  if (port !== undefined) return port;
  signal.throwIfAborted();
  throw new Error(`did not listen within ${LISTEN_MS / 1000} s`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
