/** Everything that becomes of a server, and how its own users are told. */
import assert, { AssertionError } from 'node:assert/strict';
import { eventually } from '../harness/index.ts';
import type { FaultyWardle } from './fault-wardle.ts';
import { type Gateway, type Reply, servingAuthority } from './gateway-program.ts';
import { flundersPath } from './registration-objects.ts';

export interface ServerFault {
  readonly name: string;
  readonly breaks: (wardle: FaultyWardle) => Promise<void> | void;
  /** How long its users may wait until they are refused at once, from the first request on. */
  readonly refusedAfterMs: number;
  /** The error message; undefined: the request is served. */
  readonly message: RegExp | undefined;
  readonly codes: readonly number[];
  /** Resolves when the server responds to direct requests. */
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
    breaks: (wardle) => wardle.impersonate('well', servingAuthority()),
    refusedAfterMs: 1_000,
    message: /certificate/,
    codes: [503],
    repairs: started,
  },
];

const FLUNDERS: string = flundersPath('v1alpha1');

/** The users of a broken server are told why, with a Status. */
export async function untilReasonReported(gateway: Gateway, fault: ServerFault): Promise<void> {
  const { message: wanted } = fault;
  const reported: string[] = [];
  const wrong: unknown[] = [];
  // A request sent before the fault is known may take any time, so others are sent meanwhile.
  const send = (): void => {
    refusal(gateway, fault).then(
      (message) => reported.push(message),
      (error: unknown) => error instanceof AssertionError && wrong.push(error),
    );
  };
  const isReported = (): boolean => {
    if (wrong.length > 0) throw wrong[0];
    if (reported.some((message) => wanted === undefined || wanted.test(message))) return true;
    send();
    return false;
  };
  await eventually(() => `${fault.name}: told ${reported.at(-1)}`, isReported, {
    everyMs: POLL_MS,
  });
}

const POLL_MS = 100;

/** The refusal of one user's request. */
export async function refusal(gateway: Gateway, { name, codes }: ServerFault): Promise<string> {
  const { status, body } = await gateway.send('GET', FLUNDERS);
  const said = `${name}: ${status} ${JSON.stringify(body)}`;
  assert.ok(codes.includes(status), said);
  const { kind, message = '' } = body as { kind?: string; message?: string };
  assert.equal(kind, 'Status', said);
  assert.notEqual(message, '', said);
  return message;
}

/** Requests are served again. */
export async function untilServed(gateway: Gateway): Promise<void> {
  let last: Reply | undefined;
  await eventually(
    () => `it is back and served: ${JSON.stringify(last)}`,
    async () => {
      last = await gateway.send('GET', FLUNDERS);
      return last.status === 200;
    },
  );
}
