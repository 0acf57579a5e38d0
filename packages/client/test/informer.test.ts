import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { expired, forbidden, internalError, StatusError } from '@tributary/apimachinery';
import {
  defer,
  eventually,
  type TestScope,
  turns,
  VirtualClock,
} from '../../../test/harness/index.ts';
import {
  type Client,
  createClient,
  createInformer,
  type Informer,
  type InformerOptions,
  ResourceVersionRegressedError,
} from '../src/index.ts';
import { FakeApi, THINGS, type Thing, tooBusy } from './fake-api.ts';
import { createHandlerLog, type HandlerLog, waitUntil } from './informer-model.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

interface Setup {
  readonly api: FakeApi;
  readonly server: TestServer;
  readonly client: Client;
  readonly informer: Informer<Thing, 'data'>;
  readonly log: HandlerLog;
  readonly errors: unknown[];
  /** Waits until the informer has received every event and called its handlers. */
  settled(): Promise<void>;
}

const FAST = { initialMs: 1, maxMs: 20, factor: 2, jitter: 1, resetMs: 1000 };

async function setup(
  t: TestScope,
  options: Partial<InformerOptions<Thing, 'data'>> & {
    server?: TestServerOptions;
    prepare?: (api: FakeApi) => void;
  } = {},
): Promise<Setup> {
  const { server: serverOptions, prepare, ...informerOptions } = options;
  const api = new FakeApi();
  prepare?.(api);
  const server = await startTestServer(t, api.handle, serverOptions);
  const client = createClient(server.config);
  const errors: unknown[] = [];
  const informer = createInformer<Thing, 'data'>({
    resource: client.resource<Thing>(THINGS),
    indexers: { data: ({ data }) => [data] },
    backoff: FAST,
    onError: (error) => void errors.push(error),
    ...informerOptions,
  });
  defer(t, async () => {
    await informer.close();
    await client.close();
  });
  const log = createHandlerLog();
  const subscription = informer.addHandler(log.handler);
  const settled = async (): Promise<void> => {
    const wanted = String(api.revision);
    const at = (): string => informer.lastSyncResourceVersion;
    await waitUntil(
      () => at() === wanted && subscription.pending === 0,
      () => `the informer is at ${at()} and not at ${wanted}; ${errors.map(String).join('; ')}`,
    );
    await turns();
    assert.deepEqual(log.contradictions, []);
  };
  return { api, server, client, informer, log, errors, settled };
}

for (const http of ['1.1', '2'] as const) {
  for (const watchList of ['supported', 'refused'] as const) {
    test(`over HTTP/${http}, sendInitialEvents ${watchList}: the state, then every change`, async (t) => {
      const { api, informer, log, settled } = await setup(t, {
        server: { http },
        prepare: (api) => {
          api.watchList = watchList;
          api.put('a', '1');
          api.put('b', '1');
        },
      });
      informer.start();
      await informer.whenSynced();
      assert.equal(informer.synced, true);
      await settled();
      api.put('a', '2');
      api.put('c', '1');
      api.delete('b');
      api.put('b', '9');
      await settled();
      assert.deepEqual(log.lines, [
        'add default/a@101',
        'add default/b@102',
        'update default/a@101->103',
        'add default/c@104',
        'delete default/b@105',
        'add default/b@106',
      ]);
      assert.deepEqual(informer.store.get('default/a'), api.objects.get('default/a'));
      assert.deepEqual(
        informer.store.byIndex('data', '9').map(({ metadata }) => metadata.name),
        ['b'],
      );
      assert.equal(informer.store.byIndex('namespace', 'default').length, 3);
    });
  }
}

test('a broken watch is resumed at its version, without a list or repeated events', async (t) => {
  const { api, server, informer, log, settled } = await setup(t);
  informer.start();
  await informer.whenSynced();
  api.put('a', '1');
  await settled();
  for (const how of ['cut', 'cutConnection'] as const) {
    api.cutWatches(how);
    api.put('a', how);
    await settled();
  }
  api.endWatches();
  api.put('b', '1');
  await settled();
  assert.deepEqual(log.lines, [
    'add default/a@101',
    'update default/a@101->102',
    'update default/a@102->103',
    'add default/b@104',
  ]);
  const starts = server.requests.filter(({ query }) => query.get('watch') === 'true');
  assert.deepEqual(
    starts.map(({ query }) => [query.get('sendInitialEvents'), query.get('resourceVersion')]),
    [
      ['true', null],
      [null, '101'],
      [null, '102'],
      [null, '103'],
    ],
  );
});

test('a line that is cut in the middle is not an event', async (t) => {
  const { api, informer, log, settled } = await setup(t, { watchList: false });
  informer.start();
  await informer.whenSynced();
  await waitUntil(
    () => api.watchers === 1,
    () => 'no watch',
  );
  api.sendRaw('{"type":"ADDED","object":{"metadata":{"name":"ghost"');
  api.cutWatches();
  api.put('a', '1');
  await settled();
  assert.deepEqual(log.lines, ['add default/a@101']);
});

suite('when the last version is forgotten', () => {
  test('the state is listed again, and handlers get exactly the differences', async (t) => {
    const { api, informer, log, settled } = await setup(t, {
      prepare: (api) => {
        for (const name of ['same', 'changed', 'gone', 'replaced']) api.put(name, '1');
      },
    });
    informer.start();
    await informer.whenSynced();
    await settled();
    log.lines.length = 0;
    api.failures = [expired('too old resource version: 104 (200)')];
    api.cutWatches();
    api.put('changed', '2');
    api.put('changed', '3');
    api.delete('gone');
    api.delete('replaced');
    api.put('replaced', 'new');
    api.put('fresh', '1');
    api.put('brief', '1');
    api.delete('brief');
    api.compact();
    await settled();
    assert.deepEqual(log.lines, [
      'delete default/gone@103',
      'update default/changed@102->106',
      'add default/fresh@110',
      'delete default/replaced@104',
      'add default/replaced@109',
    ]);
  });

  test('without watch lists the list comes from the server cache, and from the store only if necessary', async (t) => {
    const { api, server, informer, settled } = await setup(t, { watchList: false });
    api.put('a', '1');
    informer.start();
    await informer.whenSynced();
    await settled();
    api.endWatches();
    api.put('a', '2');
    api.compact();
    await settled();
    const lists = server.requests.filter(({ query }) => !query.has('watch'));
    assert.deepEqual(
      lists.map(({ query }) => [query.get('resourceVersion'), query.get('limit')]),
      [
        ['0', '500'],
        ['101', null],
      ],
    );
  });

  test('a server that compacts at once is listed with delays', async (t) => {
    const pauses: number[] = [];
    const clock = new (class extends VirtualClock {
      override schedule(delayMs: number, run: () => void): () => void {
        if (delayMs === 200) pauses.push(delayMs);
        return super.schedule(delayMs, run);
      }
    })();
    const { api, server, informer } = await setup(t, {
      backoff: { ...FAST, initialMs: 200, maxMs: 200, jitter: 0 },
      watchList: false,
      clock,
    });
    api.oldest = 1_000_000;
    informer.start();
    for (let pause = 1; pause <= 5; pause += 1) {
      await eventually(
        () => `pause ${pause}, after ${server.requests.length} requests`,
        () => pauses.length === pause,
      );
      await clock.advance(200);
    }
    const { length } = server.requests;
    assert.ok(length >= 5 && length <= 14, `${length} requests in a second`);
  });
});

suite('when versions go back', () => {
  test('a restored server is detected on reconnect, and objects are compared by content', async (t) => {
    const { api, informer, log, errors, settled } = await setup(t);
    api.put('kept', '1');
    const backup = api.snapshot();
    informer.start();
    await informer.whenSynced();
    api.put('twin', 'old past');
    for (const data of ['2', '3', '4']) api.put('kept', data);
    await settled();
    log.lines.length = 0;
    api.restore(backup);
    // The same name and version as before the restore, but another object.
    api.put('twin', 'new past');
    await settled();
    assert.deepEqual(log.lines, [
      'update default/kept@105->101',
      'delete default/twin@102',
      'add default/twin@102',
    ]);
    assert.ok(errors.some((error) => error instanceof ResourceVersionRegressedError));
    assert.equal(informer.store.get('default/twin')?.data, 'new past');
  });

  test('an event from the past makes it start over', async (t) => {
    const { api, informer, errors, settled } = await setup(t);
    informer.start();
    await informer.whenSynced();
    api.put('a', '1');
    await settled();
    const object = { ...api.objects.get('default/a'), metadata: { resourceVersion: '50' } };
    api.sendRaw(`${JSON.stringify({ type: 'MODIFIED', object })}\n`);
    await waitUntil(
      () => errors.some((error) => error instanceof ResourceVersionRegressedError),
      () => 'no error was reported',
    );
    api.put('a', '2');
    await settled();
  });

  test('a version that the server has not reached is replaced by the newest state', async (t) => {
    for (const watchList of [true, false]) {
      const { api, informer, settled } = await setup(t, { watchList });
      api.put('a', '1');
      api.put('a', '2');
      informer.start();
      await informer.whenSynced();
      await settled();
      api.failures = [expired('too old resource version')];
      api.restore({ revision: 50, objects: new Map() });
      await settled();
      assert.equal(informer.store.size, 0);
      await informer.close();
    }
  });
});

suite('servers in trouble', () => {
  test('are retried until they respond', async (t) => {
    const { api, informer, errors, settled } = await setup(t);
    const trouble = (): StatusError[] => [
      tooBusy(),
      internalError(new Error('etcd')),
      new StatusError({ code: 503, message: 'down' }),
      forbidden({ group: '', resource: 'things' }, '', 'not yet'),
    ];
    api.failures = trouble();
    informer.start();
    await informer.whenSynced();
    api.put('a', '1');
    await settled();
    api.failures = trouble();
    api.cutWatches();
    api.put('a', '2');
    await settled();
    assert.ok(errors.length >= 8);
  });

  test('that are down for a while are retried', async (t) => {
    const { api, server, informer, errors, settled } = await setup(t);
    informer.start();
    await informer.whenSynced();
    await server.stop();
    errors.length = 0;
    await eventually('some tries', () => errors.length >= 3);
    api.put('a', '1');
    const again = await startTestServer(t, api.handle, {
      port: Number(new URL(server.url).port),
      pki: server.pki,
    });
    await settled();
    assert.equal(informer.store.size, 1);
    await again.stop();
  });

  test('that ignore sendInitialEvents are listed after a while', async (t) => {
    const { api, informer, server, settled } = await setup(t, { initialSilenceMs: 100 });
    api.watchList = 'ignored';
    api.put('a', '1');
    informer.start();
    await informer.whenSynced();
    await settled();
    api.put('a', '2');
    await settled();
    assert.equal(server.requests.filter(({ query }) => !query.has('watch')).length, 1);
  });

  test('pages that expire are followed by a list without a limit', async (t) => {
    const { api, server, informer, settled } = await setup(t, {
      watchList: false,
      pageSize: 2,
      prepare: (api) => {
        for (const name of ['a', 'b', 'c', 'd', 'e']) api.put(name, '1');
        api.afterPage = () => api.compact();
      },
    });
    informer.start();
    await informer.whenSynced();
    await settled();
    assert.equal(informer.store.size, 5);
    assert.deepEqual(
      server.requests
        .filter(({ query }) => !query.has('watch'))
        .map(({ query }) => [query.get('limit'), query.has('continue')]),
      [
        ['2', false],
        ['2', true],
        [null, false],
      ],
    );
    assert.equal(api.watchers, 1);
  });
});

suite('handlers', () => {
  test('several share one watch, and a late one gets the existing objects', async (t) => {
    const { api, server, informer, settled } = await setup(t);
    api.put('a', '1');
    informer.start();
    await informer.whenSynced();
    await settled();
    const initial: boolean[] = [];
    const late = createHandlerLog();
    const subscription = informer.addHandler({
      ...late.handler,
      onAdd: (object, details) => {
        initial.push(details.initial);
        return late.handler.onAdd?.(object, details);
      },
    });
    assert.equal(subscription.synced, false);
    await subscription.whenSynced();
    api.put('b', '1');
    await settled();
    assert.deepEqual(late.lines, ['add default/a@101', 'add default/b@102']);
    assert.deepEqual(initial, [true, false]);
    subscription.close();
    api.put('c', '1');
    await settled();
    assert.equal(late.lines.length, 2);
    assert.equal(server.requests.length, 1);
  });

  test('one that throws, or rejects, gets the next change all the same', async (t) => {
    const { api, informer, errors, settled } = await setup(t);
    const seen: string[] = [];
    informer.addHandler({
      onAdd: ({ metadata }) => {
        seen.push(metadata.name ?? '');
        throw new Error('thrown');
      },
      onDelete: () => Promise.reject(new Error('rejected')),
    });
    informer.start();
    api.put('a', '1');
    api.put('b', '1');
    api.delete('a');
    api.put('c', '1');
    await informer.whenSynced();
    await settled();
    assert.deepEqual(seen, ['b', 'c']);
    api.delete('b');
    api.put('d', '1');
    await settled();
    assert.deepEqual(seen, ['b', 'c', 'd']);
    assert.deepEqual(
      errors.map((error) => (error as Error).message),
      ['thrown', 'thrown', 'rejected', 'thrown'],
    );
  });

  test('a slow one gets fewer, never wrong changes, and delays no other', async (t) => {
    const { api, informer, log, settled } = await setup(t, { handlerQueueMax: 20 });
    const gate = Promise.withResolvers<void>();
    const slow = createHandlerLog({ gate: gate.promise });
    const subscription = informer.addHandler(slow.handler);
    informer.start();
    await informer.whenSynced();
    for (let index = 0; index < 200; index += 1) {
      const name = `n${index % 4}`;
      if (index % 7 === 6) api.delete(name);
      else api.put(name, String(index));
      if (index % 4 === 3) await settled();
    }
    await settled();
    assert.ok(log.lines.length > 150, `${log.lines.length} calls`);
    gate.resolve();
    await waitUntil(
      () => subscription.pending === 0,
      () => `${subscription.pending} wait`,
    );
    await turns();
    assert.deepEqual(slow.contradictions, []);
    assert.ok(slow.lines.length < 30, `${slow.lines.length} calls`);
    assert.deepEqual([...slow.view].sort(), [...api.objects].sort());
  });
});

suite('an object that has no key', () => {
  for (const watchList of [true, false]) {
    test(`is never stored, and does not end the informer (watch list: ${watchList})`, async (t) => {
      const { api, informer, errors, settled } = await setup(t, {
        watchList,
        prepare: (server) => server.put('a', 'x'),
      });
      informer.start();
      await informer.whenSynced();
      const complained = (): boolean =>
        errors.some((error) => /things "lost" without a namespace/.test(String(error)));
      api.put('lost', 'x', '');
      await waitUntil(complained, () => 'no error was reported');
      assert.deepEqual([...informer.store.keys()], ['default/a']);
      // Also when everything is listed again.
      errors.length = 0;
      await waitUntil(complained, () => 'no further error was reported');
      assert.deepEqual([...informer.store.keys()], ['default/a']);
      api.delete('lost', '');
      api.put('b', 'x');
      await settled();
      assert.deepEqual([...informer.store.keys()].sort(), ['default/a', 'default/b']);
    });
  }
});

suite('close', () => {
  test('before the sync rejects whenSynced', async (t) => {
    const { api, informer, errors } = await setup(t);
    api.failures = Array.from({ length: 1000 }, tooBusy);
    informer.start();
    const waiting = assert.rejects(informer.whenSynced(), /closed/);
    await eventually('some tries', () => errors.length >= 2);
    await informer.close();
    await waiting;
    await informer.close();
    assert.throws(() => informer.start(), /closed/);
  });

  test('ends the watch', async (t) => {
    const { api, informer } = await setup(t);
    informer.start();
    await informer.whenSynced();
    assert.equal(api.watchers, 1);
    await informer.close();
    await waitUntil(
      () => api.watchers === 0,
      () => 'the watch is still there',
    );
  });

  test('whenSynced can be aborted alone', async (t) => {
    const { informer } = await setup(t);
    const abort = new AbortController();
    const waiting = informer.whenSynced(abort.signal);
    abort.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
  });
});
