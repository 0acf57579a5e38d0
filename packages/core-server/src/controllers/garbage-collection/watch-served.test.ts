import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextMacrotask } from 'node:timers/promises';
import { createClient } from '@tributary/client';
import { SharedInformers } from '@tributary/client/controller';
import { VirtualClock } from '../../../../../test/harness/index.ts';
import { silentLog } from '../../../../server/test/log-fixture.ts';
import { DependencyGraph } from './graph.ts';
import { GroupHealth } from './group-health.ts';
import { referenceCache } from './reference-cache.ts';
import { watchServed } from './watch-served.ts';

/** The response to a path; undefined never responds. */
type StubResponse = { readonly status: number; readonly body?: unknown } | undefined;

const discovery: StubResponse = {
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
const nothing: StubResponse = { status: 200, body: { items: [] } };
const failure: StubResponse = { status: 500 };
const listedMs = 30_000;

interface Row {
  readonly name: string;
  readonly apis: StubResponse;
  readonly things: StubResponse;
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
  test(`sync errors when ${name}`, async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const client = stubClient(clock, (path) => {
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
    const served = watchServed(
      { graph, health: new GroupHealth(undefined, { clock, signal }), queues: [], onSyncError },
      {
        client,
        clock,
        signal,
        log: silentLog().log,
        informers: new SharedInformers({ client, clock, onError() {} }),
      },
    );
    const listed = served.whenListed();
    // Each failure is followed by a pause, which begins when the client gets the response.
    for (let passedMs = 0; passedMs < afterMs; passedMs += STEP_MS) {
      await runMacrotasks();
      await clock.advance(Math.min(STEP_MS, afterMs - passedMs));
    }
    await runMacrotasks();
    assert.equal(counted, errors);
    stop.abort();
    await Promise.all([listed, served.close()]);
  });
}

const STEP_MS = 1_000;

function stubClient(clock: VirtualClock, respond: (path: string) => StubResponse) {
  return createClient(
    { server: 'https://test', identity: {}, namespace: 'default', disableCompression: true },
    {
      clock,
      open: async ({ path, signal }) => {
        const given = respond(path);
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

async function runMacrotasks(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextMacrotask();
}
