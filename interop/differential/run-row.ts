/** Sends one row to one target. */
import { eventually } from '../../test/harness/index.ts';
import { EventLog } from './event-log.ts';
import type { Json } from './json.ts';
import { normaliseRow } from './normalise.ts';
import {
  bodyOf,
  fillJson,
  fillText,
  fillUrl,
  type Known,
  MissingResponse,
} from './placeholders.ts';
import { isWatchStep, type RequestStep, type Row, type Step, slug, type WatchStep } from './row.ts';
import type { RawResponse, RawStepResult, StepResult } from './step-result.ts';
import type { Call, Target } from './target.ts';

export interface RunOptions {
  /** Tells the namespaces of two runs on one server apart. */
  runId: string;
  /** The target's revisions also count writes that are not the row's (see normalise.ts). */
  sharedRevisions?: boolean;
  /** How long a watch is listened to after the last event that was waited for. */
  quietMs?: number;
  /** In place of that time: what the target does meanwhile. */
  listen?: (target: Target) => Promise<void>;
  /** How long a watch may take to show the events that were waited for, and to end when it should. */
  patienceMs?: number;
  /** The answers that are expected: a watch that ended there is given time to end. */
  reference?: readonly StepResult[];
}

const QUIET_MS = 200;
const PATIENCE_MS = 30_000;
const POLL_MS = 20;
/** A result awaited with `until` may come as much later: some of the original's controllers poll every five seconds. */
const UNTIL_FACTOR = 4;

/** The answers of a target, ready to be compared and stored. */
export async function resultsOf(
  row: Row,
  target: Target,
  options: RunOptions,
): Promise<StepResult[]> {
  const namespace = namespaceOf(row, options.runId);
  const responses = await runRow(row, target, options);
  const { sharedRevisions = false } = options;
  return normaliseRow(responses, { row, namespace, now: Date.now(), sharedRevisions });
}

/** The answers of a target as they were on the wire. */
export async function runRow(
  row: Row,
  target: Target,
  options: RunOptions,
): Promise<RawStepResult[]> {
  const namespace = namespaceOf(row, options.runId);
  await target.prepareNamespace(namespace);
  const bodies = new Map<string, Json>();
  const etags = new Map<string, string>();
  return runSteps(row.steps, {
    target,
    known: { namespace, bodies, etags },
    remember: (step, body, headers) => {
      bodies.set(step, body);
      for (const [name, value] of headers) if (name === 'etag') etags.set(step, value);
    },
    quietMs: options.quietMs ?? QUIET_MS,
    patienceMs: options.patienceMs ?? PATIENCE_MS,
    ends: endingWatches(options.reference ?? []),
    listen: options.listen,
  });
}

export function namespaceOf(row: Row, runId: string): string {
  return `${slug(row.name)}-${runId}`;
}

interface Run {
  target: Target;
  known: Known;
  remember(step: string, body: Json, headers: RawResponse['headers']): void;
  quietMs: number;
  patienceMs: number;
  /** The names of watches that the server is expected to end. */
  ends: ReadonlySet<string>;
  listen: RunOptions['listen'];
}

function endingWatches(responses: readonly StepResult[]): ReadonlySet<string> {
  return new Set(responses.filter(({ closed }) => closed === true).map(({ step }) => step));
}

async function runSteps(steps: readonly Step[], run: Run): Promise<RawStepResult[]> {
  const responses: RawStepResult[] = [];
  for (const step of steps) responses.push(await runStep(step, run));
  return responses;
}

/** A step that cannot be sent or breaks is an answer too: it differs from the recorded one. */
async function runStep(step: Step, run: Run): Promise<RawStepResult> {
  try {
    if (isWatchStep(step)) return await runWatch(step, run);
    return await runRequest(step, run);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof MissingResponse) return { kind: 'skipped', step: step.name, why };
    return { kind: 'broken', step: step.name, request: describe(step), why };
  }
}

async function runRequest(step: RequestStep, run: Run): Promise<RawStepResult> {
  const call = callOf(step, run.known);
  const response = await sendUntil(call, { step, run });
  run.remember(step.name, bodyOf(response.body), response.headers);
  return { kind: 'response', step: step.name, request: describe(step), response };
}

async function sendUntil(
  call: Call,
  { step, run }: { step: RequestStep; run: Run },
): Promise<RawResponse> {
  const settled = async () => {
    const response = await run.target.send(call);
    return isSettled(response, step) ? response : undefined;
  };
  // A result that never comes breaks the step: a row that waits in vain would waste its time in every run.
  return eventually(`the answer to ${step.name} that it waits for`, settled, {
    withinMs: run.patienceMs * UNTIL_FACTOR,
    everyMs: POLL_MS,
  });
}

function isSettled({ status, body }: RawResponse, { until }: RequestStep): boolean {
  if (until === undefined) return true;
  if (typeof until === 'number') return status === until;
  if (typeof until === 'string') return body.includes(until);
  if ('has' in until) return until.has.every((text) => body.includes(text));
  return !until.lacks.some((text) => body.includes(text));
}

async function runWatch(step: WatchStep, run: Run): Promise<RawStepResult> {
  const open = await run.target.watch(callOf({ name: step.name, ...step.watch }, run.known));
  const log = new EventLog(open.events, { keepBookmarks: step.keepBookmarks ?? false });
  try {
    const during = await runSteps(step.during ?? [], run);
    await log.wait({ events: step.events, patienceMs: run.patienceMs });
    if (!log.closed) await listenOn(log, { step, run });
    const { status, headers, change = (all) => all } = open;
    const { closed } = log;
    const events = [...change(log.events)];
    run.remember(step.name, events, headers);
    const request = describe(step);
    return { kind: 'watch', step: step.name, request, status, headers, events, closed, during };
  } finally {
    await open.close();
  }
}

/** A watch that should end is waited for; one that should not might still show something more. */
async function listenOn(
  log: EventLog,
  { step, run }: { step: WatchStep; run: Run },
): Promise<void> {
  const { target, listen, quietMs, patienceMs } = run;
  if (run.ends.has(step.name)) return log.wait({ events: 'closed', patienceMs });
  if (listen !== undefined) return listen(target);
  return log.wait({ events: 'closed', patienceMs: quietMs });
}

function callOf(step: RequestStep, known: Known): Call {
  const json = step.body !== undefined && typeof step.body !== 'string';
  return {
    method: step.method ?? 'GET',
    url: fillUrl(step, known),
    headers: {
      // Named, because the field manager and the indentation of an answer follow the user agent.
      'user-agent': 'differential/1',
      ...(json ? { 'content-type': 'application/json' } : {}),
      ...fillHeaders(step.headers ?? {}, known),
    },
    body: json ? JSON.stringify(fillJson(step.body ?? null, known)) : rawBody(step.body, known),
    protocol: step.protocol ?? 'h2',
    as: step.as ?? 'admin',
  };
}

function rawBody(body: Json | undefined, known: Known): string | undefined {
  return typeof body === 'string' ? fillText(body, known) : undefined;
}

function fillHeaders(headers: Call['headers'], known: Known): Call['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? fillText(value, known) : value.map((one) => fillText(one, known)),
    ]),
  );
}

/** The request as a reader of the golden answers wants to see it, placeholders and all. */
function describe(step: Step): string {
  const { path, query } = isWatchStep(step) ? step.watch : step;
  const method = isWatchStep(step) ? 'WATCH' : (step.method ?? 'GET');
  const pairs = Object.entries(query ?? {}).flatMap(([key, values]) =>
    (typeof values === 'string' ? [values] : values).map((value) => `${key}=${value}`),
  );
  const url = pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
  return `${method} ${url.length > 300 ? `${url.slice(0, 300)}…` : url}`;
}
