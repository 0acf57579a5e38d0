/** Three Go servers on one store, as endpoints of one Service of ours. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  defer,
  eventually,
  httpsRequest,
  httpsStream,
  type TestScope,
} from '../../test/harness/index.ts';
import { keepConnection } from '../core/reused-connection.ts';
import { within } from '../delegation/suite.ts';
import {
  askFront,
  certificatesOf,
  flunder,
  flundersPath,
  makeNamespace,
  must,
  post,
  serverName,
  untilAvailable,
} from './ask.ts';
import type { Replicas } from './go-behind-us.ts';
import type { Sample } from './go-behind-us-sample.ts';
import type { Site } from './site.ts';

const NAMESPACE = 'replicas';
const FLUNDERS = flundersPath(NAMESPACE);
const READERS = 4;
const POLL_MS = 10;
/** Fewer show little. */
const READS_MIN = READERS * 20;
const WATCHES = 12;
const WRITES = 10;
const SPREAD_READS = 60;
const RECEIVED_MS = 60_000;
const BACK_MS = 60_000;

export async function spreadsRequests({ site, samples }: Replicas): Promise<void> {
  await makeNamespace(site, NAMESPACE);
  await untilAllAreAsked({ site, samples });
  const before = await readsOf(site, samples);
  for (let index = 0; index < SPREAD_READS; index += 1) await must(askFront(site, FLUNDERS));
  const after = await readsOf(site, samples);
  const reads = after.map((count, index) => count - (before[index] ?? 0));
  for (const count of reads) {
    assert.ok(count >= SPREAD_READS / samples.length / 3, `they served ${reads.join(', ')} reads`);
  }
}

/** A process whose start was slow is avoided for a while, as one that failed. */
async function untilAllAreAsked({ site, samples }: Replicas): Promise<void> {
  const first = await readsOf(site, samples);
  await eventually('every process serves reads', async () => {
    await must(askFront(site, FLUNDERS));
    const now = await readsOf(site, samples);
    return now.every((count, index) => count > (first[index] ?? 0));
  });
}

/** Its endpoint stays in the list: the aggregator is not notified. */
export async function survivesADeath(t: TestScope, { site, samples }: Replicas): Promise<void> {
  const [, victim] = samples;
  assert.ok(victim);
  const watches = await openWatches(t, site);
  const reading = readAll(site);
  try {
    await write(site, 'before');
    await victim.kill();
    await write(site, 'after');
    const all = namesOf('before').concat(namesOf('after'));
    await within(RECEIVED_MS, async () => {
      for (const { received } of watches) assert.deepEqual(received, all);
    });
    const moved = watches.filter(({ begun }) => begun() > 1).length;
    assert.ok(moved > 0 && moved < WATCHES, `${moved} of ${WATCHES} watches moved on`);
    await eventually('many reads are answered', () => reading.responses() >= READS_MIN);
    assert.deepEqual(await reading.stop(), []);
    await untilAvailable(site, { status: 'True', withinMs: 1 });
  } finally {
    await reading.stop();
  }
}

export async function takesBackWhoReturns({ site, samples }: Replicas): Promise<void> {
  const [, victim] = samples;
  assert.ok(victim);
  await victim.start();
  let before = 0;
  // Ready is sooner than believing certificates: it takes its core's word for them.
  await within(BACK_MS, async () => {
    [before = 0] = await readsOf(site, [victim]);
  });
  await within(BACK_MS, async () => {
    await must(askFront(site, FLUNDERS));
    const [now = 0] = await readsOf(site, [victim]);
    assert.ok(now > before, 'nobody asks it');
  });
}

/** How many lists of Flunders each has served, by its own count. */
async function readsOf(site: Site, samples: readonly Sample[]): Promise<number[]> {
  const ca = await readFile(join(certificatesOf(site), 'ca.crt'), 'utf8');
  const options = { ca, servername: serverName(site), ...site.front.admin };
  const figures = await Promise.all(
    samples.map(({ url }) => must(httpsRequest(`${url}/metrics`, options))),
  );
  return figures.map(({ body }) => {
    const lines = body
      .split('\n')
      .filter((line) => line.startsWith('apiserver_request_total{'))
      .filter((line) => line.includes('resource="flunders"') && line.includes('verb="LIST"'));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  });
}

function namesOf(prefix: string): string[] {
  return Array.from({ length: WRITES }, (_, index) => `${prefix}-${index}`);
}

async function write(site: Site, prefix: string): Promise<void> {
  for (const name of namesOf(prefix)) await post(site, FLUNDERS, flunder(name));
}

interface Watch {
  /** Names of what was added, in their order. */
  readonly received: readonly string[];
  /** How often it was begun. */
  begun(): number;
}

interface WatchEvent {
  readonly type: string;
  readonly object: {
    readonly metadata: { readonly name: string; readonly resourceVersion: string };
  };
}

/** Each goes on where it ended, as clients do, until the test is over. */
async function openWatches(t: TestScope, site: Site): Promise<Watch[]> {
  const list = (await must(askFront(site, FLUNDERS))).json() as {
    metadata: { resourceVersion: string };
  };
  const stopped = new AbortController();
  const running: Promise<void>[] = [];
  defer(t, async () => {
    stopped.abort();
    await Promise.allSettled(running); // They end by being cut off.
  });
  const watches: Watch[] = [];
  for (let index = 0; index < WATCHES; index += 1) {
    const received: string[] = [];
    const begun = { count: 0, opened: Promise.withResolvers<void>() };
    const since = list.metadata.resourceVersion;
    running.push(follow({ site, since, received, begun, signal: stopped.signal }));
    watches.push({ received, begun: () => begun.count });
    await begun.opened.promise;
  }
  return watches;
}

async function follow(options: {
  readonly site: Site;
  readonly since: string;
  readonly received: string[];
  readonly begun: { count: number; readonly opened: PromiseWithResolvers<void> };
  readonly signal: AbortSignal;
}): Promise<void> {
  const { site, received, begun, signal } = options;
  const { url, ca, admin } = site.front;
  let since = options.since;
  while (!signal.aborted) {
    const path = `${FLUNDERS}?watch=true&resourceVersion=${since}`;
    await using stream = await httpsStream(url + path, { ca, ...admin, signal });
    assert.equal(stream.status, 200);
    begun.count += 1;
    begun.opened.resolve();
    const leave = (): void => void stream.close();
    signal.addEventListener('abort', leave, { once: true });
    try {
      for await (const line of stream.lines) {
        const { type, object } = line as WatchEvent;
        if (type === 'ADDED') received.push(object.metadata.name);
        since = object.metadata.resourceVersion;
      }
    } catch {
      // Cut off: its backend has ended.
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}

/** One request after the other, by several clients, each over one connection to the control plane. */
function readAll(site: Site): { responses(): number; stop(): Promise<string[]> } {
  const { url, ca, admin } = site.front;
  const stopped = new AbortController();
  const failures: string[] = [];
  let responses = 0;
  const read = async (): Promise<void> => {
    const send = keepConnection({ url, ca, credential: admin });
    const call = { method: 'GET', url: FLUNDERS, headers: {}, body: undefined } as const;
    while (!stopped.signal.aborted) {
      const outcome = await send({ ...call, protocol: 'h2', as: 'admin' }).then(
        ({ status, body }) => (status === 200 ? undefined : `${status} ${body}`),
        (error: unknown) => String(error),
      );
      if (outcome !== undefined) failures.push(outcome);
      responses += 1;
      await sleep(POLL_MS);
    }
  };
  const running = Promise.all(Array.from({ length: READERS }, read));
  return {
    responses: () => responses,
    stop: async () => {
      stopped.abort();
      await running;
      return failures;
    },
  };
}
