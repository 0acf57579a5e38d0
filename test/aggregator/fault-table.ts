/** Everything that becomes of a server, and how its own users are told. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownTime } from '../harness/index.ts';
import type { FaultyWardle } from './fault-wardle.ts';
import { type Gateway, servingAuthority } from './gateway-program.ts';
import { flundersPath } from './registration-objects.ts';

export interface ServerFault {
  readonly name: string;
  readonly breaks: (wardle: FaultyWardle) => Promise<void> | void;
  /** How long its users may wait until they are refused at once, from the first request on. */
  readonly refusedAfterMs: number;
  /** What they are told; undefined: they are served, with whatever comes. */
  readonly message: RegExp | undefined;
  readonly codes: readonly number[];
  /** Returns when the server answers those who ask it directly. */
  readonly repairs: (wardle: FaultyWardle) => Promise<void> | void;
}

const started = (wardle: FaultyWardle): Promise<void> => wardle.start();

export const serverFaults: readonly ServerFault[] = [
  {
    name: 'killed',
    breaks: (wardle) => wardle.kill(),
    refusedAfterMs: 1_000,
    message: /connection refused|reset|closed/i,
    codes: [503],
    repairs: started,
  },
  {
    name: 'frozen',
    breaks: (wardle) => wardle.signal('SIGSTOP'),
    refusedAfterMs: 5_000,
    message: /timed out waiting for https:|no answer|did not answer|silent/i,
    codes: [503],
    repairs: (wardle) => wardle.signal('SIGCONT'),
  },
  {
    name: 'answering garbage',
    breaks: (wardle) => wardle.impersonate('garbage'),
    refusedAfterMs: 1_000,
    message: /HTTP|protocol|parse/i,
    codes: [503],
    repairs: started,
  },
  {
    name: 'answering 302',
    breaks: (wardle) => wardle.impersonate('redirecting'),
    refusedAfterMs: 1_000,
    message: /attempted to redirect|bad status from https:\S+: 302/,
    codes: [502, 503],
    repairs: started,
  },
  {
    name: 'answering 200 with endless bodies',
    breaks: (wardle) => wardle.impersonate('endless'),
    refusedAfterMs: 0,
    message: undefined,
    codes: [200],
    repairs: started,
  },
  {
    name: 'with a certificate of somebody else',
    breaks: (wardle) => wardle.start({ certificateOf: servingAuthority() }),
    refusedAfterMs: 1_000,
    message: /certificate/,
    codes: [503],
    repairs: started,
  },
];

const POLL_MS = 10;
/** Who waits for a server that is silent waits for seconds. */
const AT_ONCE_MS = 300;
const AT_ONCE_REQUESTS = 10;
const FLUNDERS: string = flundersPath('v1alpha1');

/** The users of a broken server: told why with a Status, and at once when it is known. Gives how long that took. */
export async function tellsItsUsers(gateway: Gateway, fault: ServerFault): Promise<number> {
  using time = ownTime();
  let refusedMs = 0;
  for (let inRow = 0; inRow < AT_ONCE_REQUESTS; ) {
    const askedMs = time.elapsedMs();
    const told = refusal(gateway, fault);
    const isAtOnce = (await Promise.race([told, sleep(AT_ONCE_MS)])) !== undefined;
    if (!isAtOnce) told.catch(() => undefined); // It was sent before anybody knew, and may wait as long as it likes.
    inRow = isAtOnce ? inRow + 1 : 0;
    if (inRow === 1) refusedMs = askedMs;
    // A moment for the row itself: on a machine that does other things one of it may take longer.
    const boundMs = fault.refusedAfterMs + 1_000;
    assert.ok(time.elapsedMs() < boundMs, `${fault.name}: not refused in ${boundMs} ms`);
  }
  await untilToldWhy(gateway, fault);
  return refusedMs;
}

/** Between two of them nobody was there at all, which is what was true until the next probe. */
const TOLD_WHY_MS = 2_500;

async function untilToldWhy(gateway: Gateway, fault: ServerFault): Promise<void> {
  using time = ownTime();
  for (;;) {
    const message = await refusal(gateway, fault);
    if (fault.message === undefined || fault.message.test(message)) return;
    assert.ok(time.elapsedMs() < TOLD_WHY_MS, `${fault.name}: told ${message}`);
    await sleep(POLL_MS);
  }
}

/** What one user is told. */
async function refusal(gateway: Gateway, { name, codes }: ServerFault): Promise<string> {
  const { status, body } = await gateway.send('GET', FLUNDERS);
  const said = `${name}: ${status} ${JSON.stringify(body)}`;
  assert.ok(codes.includes(status), said);
  const { kind, message = '' } = body as { kind?: string; message?: string };
  assert.equal(kind, 'Status', said);
  assert.notEqual(message, '', said);
  return message;
}

/** From now until somebody is served again. */
export async function recovery(gateway: Gateway): Promise<number> {
  using time = ownTime();
  for (;;) {
    const { status, body } = await gateway.send('GET', FLUNDERS);
    const tookMs = time.elapsedMs();
    if (status === 200) return tookMs;
    assert.ok(tookMs < 5_000, `it is back, and not served: ${status} ${JSON.stringify(body)}`);
    await sleep(POLL_MS);
  }
}
