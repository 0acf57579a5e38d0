import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { createClient } from '@tributary/client';
import { SharedInformers } from '@tributary/client/controller';
import { VirtualClock } from '../../../../../test/harness/index.ts';
import { silentLog } from '../../../../server/test/log-fixture.ts';
import { followServed } from './follow-served.ts';
import { DependencyGraph } from './graph.ts';
import { groupHealth } from './group-health.ts';
import { referenceCache } from './reference-cache.ts';

/** What a server answers to a path; undefined: nothing, for as long as anybody waits. */
type Answer = { readonly status: number; readonly body?: unknown } | undefined;

const discovery: Answer = {
  status: 200,
  body: {
    items: [
      {
        metadata: { name: 'example.com' },
        versions: [
          {
            version: 'v1',
            resources: [
              {
                resource: 'things',
                scope: 'Namespaced',
                verbs: ['delete', 'list', 'watch'],
                responseKind: { group: 'example.com', version: 'v1', kind: 'Thing' },
              },
            ],
          },
        ],
      },
    ],
  },
};
const nothing: Answer = { status: 200, body: { items: [] } };
const failure: Answer = { status: 500 };
const listedMs = 30_000;

interface Row {
  readonly name: string;
  readonly apis: Answer;
  readonly things: Answer;
  readonly afterMs: number;
  readonly errors: number;
}

const rows: readonly Row[] = [
  { name: 'nothing is served', apis: nothing, things: failure, afterMs: listedMs, errors: 0 },
  { name: 'a list is late', apis: discovery, things: undefined, afterMs: listedMs, errors: 1 },
  { name: 'a list has time', apis: discovery, things: undefined, afterMs: listedMs - 1, errors: 0 },
  { name: 'a list fails', apis: discovery, things: failure, afterMs: listedMs - 1, errors: 1 },
  { name: 'discovery fails', apis: failure, things: failure, afterMs: listedMs - 1, errors: 1 },
  {
    name: 'discovery fails again, and nothing is listed in time',
    apis: failure,
    things: failure,
    afterMs: listedMs,
    errors: 3,
  },
];

for (const { name, apis, things, afterMs, errors } of rows) {
  test(`errors of what is followed: ${name}`, async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const client = answering(clock, (path) => {
      if (path.startsWith('/api?') || path === '/api') return nothing;
      return path.startsWith('/apis/') ? things : apis;
    });
    const graph = new DependencyGraph({
      attemptToDelete() {},
      attemptToDeleteLater() {},
      attemptToOrphan() {},
      reportInvalidNamespace() {},
      absentOwners: referenceCache(1),
    });
    const { signal } = stop;
    let counted = 0;
    const onSyncError = () => {
      counted += 1;
    };
    const served = followServed(
      { graph, health: groupHealth(undefined, { clock, signal }), queues: [], onSyncError },
      {
        client,
        clock,
        signal,
        log: silentLog().log,
        informers: new SharedInformers({ client, clock, onError() {} }),
      },
    );
    const listed = served.whenListed();
    // Each failure is followed by a pause, which begins when it was heard.
    for (let passedMs = 0; passedMs < afterMs; passedMs += STEP_MS) {
      await rest();
      await clock.advance(Math.min(STEP_MS, afterMs - passedMs));
    }
    await rest();
    assert.equal(counted, errors);
    stop.abort();
    await Promise.all([listed, served.close()]);
  });
}

const STEP_MS = 1_000;

function answering(clock: VirtualClock, answer: (path: string) => Answer) {
  return createClient(
    { server: 'https://test', identity: {}, namespace: 'default', disableCompression: true },
    {
      clock,
      open: async ({ path, signal }) => {
        const given = answer(path);
        if (given === undefined) {
          await new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          });
        }
        return {
          status: given?.status ?? 0,
          rawHeaders: [['content-type', 'application/json']],
          httpVersion: '2' as const,
          body: (async function* () {
            yield Buffer.from(JSON.stringify(given?.body ?? {}));
          })(),
          cancel: () => {},
        };
      },
    },
  );
}

async function rest(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await settle();
}
