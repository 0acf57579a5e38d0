import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { ApiDefinition } from '@tributary/server';
import { defineApi, defineResource, version } from '@tributary/server/definition';
import { MetricsRegistry } from '@tributary/server/operations';
import { defer, turns } from '../../../../test/harness/index.ts';
import { silentLog } from '../../../server/test/log-fixture.ts';
import { requestFor } from '../../../server/test/request-fixture.ts';
import { DelayClock } from '../../test/delay-clock.ts';
import { directBackends } from '../../test/direct-backends.ts';
import {
  type Behaviour,
  localAt,
  lyingServer,
  memoryDocuments,
  remoteAt,
  soon,
  testAvailability,
  testRegistrations,
} from '../../test/discovery-fixture.ts';
import { EXCHANGE_TIMEOUT_MS } from './fetch-documents.ts';
import { pollTimes } from './server-poller.ts';
import { type DiscoveryOptions, startDiscovery } from './start-discovery.ts';

const DAY_MS = 24 * 60 * 60_000;
const GROUP = 'wardle.example.com';
const NAME = `v1.${GROUP}`;
const ACCEPT = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const local: ApiDefinition = defineApi({
  group: 'local.example.com',
  resources: [
    defineResource({
      kind: 'Thing',
      plural: 'things',
      scope: 'Cluster',
      versions: { v1: version({}) },
    }),
  ],
});

test('a registration is listed at once, and with its resources as soon as its server has told them', async (t) => {
  const { discovery, server, registrations } = await start(t, servesAggregated(['flunders']));
  registrations.put(remoteAt(server, GROUP, 'v1'));
  assert.deepEqual(view(discovery), {
    [GROUP]: 'v1 Stale:',
    'local.example.com': 'v1 Current: things',
  });
  assert.deepEqual(legacyGroups(discovery), ['local.example.com', GROUP]);
  await soon(() => view(discovery)[GROUP] === 'v1 Current: flunders', 'the resources');
  const [first] = server.seen;
  assert.equal(first?.path, '/apis');
  assert.match(String(first?.headers.accept), /v=v2;as=APIGroupDiscoveryList/);
  assert.equal(first?.headers['x-remote-user'], 'system:kube-aggregator');
  assert.equal(first?.headers['x-remote-group'], 'system:masters');
});

test('a removed registration is gone at once, with what was kept of it', async (t) => {
  const { discovery, server, registrations, documents } = await start(
    t,
    servesAggregated(['flunders']),
  );
  registrations.put(remoteAt(server, GROUP, 'v1'));
  await soon(() => view(discovery)[GROUP] === 'v1 Current: flunders', 'the resources');
  assert.equal(documents.now.size, 1);
  registrations.remove(NAME);
  assert.equal(view(discovery)[GROUP], undefined);
  assert.deepEqual(legacyGroups(discovery), ['local.example.com']);
  assert.equal(get(discovery, `/apis/${GROUP}`), undefined);
  assert.equal(documents.now.size, 0);
});

test('registrations of one server share one document', async (t) => {
  const { discovery, server, registrations } = await start(t, servesAggregated(['flunders']));
  for (const one of ['v1', 'v2']) registrations.put(remoteAt(server, GROUP, one));
  await soon(() => view(discovery)[GROUP] === 'v2 Current: flunders, v1 Current: flunders', 'both');
  await soon(() => server.seen.length === 3, 'the two lists');
  assert.equal(server.seen.filter(({ path }) => path === '/apis').length, 1);
});

test('a version that its server does not list is current and empty, and logged', async (t) => {
  const { discovery, server, registrations, lines } = await start(
    t,
    servesAggregated(['flunders']),
  );
  registrations.put(remoteAt(server, GROUP, 'v9'));
  await soon(() => view(discovery)[GROUP] === 'v9 Current:', 'the empty version');
  assert.match(lines.join('\n'), /does not list registered version/);
});

test('with tags a server is asked every ten seconds, and tells what has changed', async (t) => {
  let resources = ['flunders'];
  const behave: Behaviour = (request, response) =>
    servesAggregated(resources, `"${resources.length}"`)(request, response);
  const { discovery, server, registrations, clock, documents } = await start(t, behave);
  registrations.put(remoteAt(server, GROUP, 'v1'));
  await planned(clock, pollTimes.conditionalRefreshMs);
  assert.equal(server.seen.length, 2, 'the document and the list');
  assert.equal(documents.writes, 2, 'both kept');
  const rendered = body(get(discovery, '/apis', ACCEPT));
  await clock.advance(pollTimes.conditionalRefreshMs);
  await planned(clock, pollTimes.conditionalRefreshMs);
  assert.equal(server.seen.length, 3, 'the next question');
  assert.equal(server.seen[2]?.headers['if-none-match'], '"1"');
  assert.equal(body(get(discovery, '/apis', ACCEPT)), rendered);
  assert.equal(documents.writes, 2);
  resources = ['fischers', 'flunders'];
  await clock.advance(pollTimes.conditionalRefreshMs);
  await soon(() => view(discovery)[GROUP] === 'v1 Current: fischers flunders', 'the new resource');
});

test('without tags, or where they are ignored, it is asked every minute', async (t) => {
  for (const tag of [undefined, '"same"']) {
    const behave: Behaviour = (request, response) => {
      delete request.headers['if-none-match'];
      servesAggregated(['flunders'], tag)(request, response);
    };
    const { discovery, server, registrations, clock } = await start(t, behave);
    registrations.put(remoteAt(server, GROUP, 'v1'));
    if (tag !== undefined) {
      await planned(clock, pollTimes.conditionalRefreshMs);
      await clock.advance(pollTimes.conditionalRefreshMs); // the one that shows it
    }
    await planned(clock, pollTimes.refreshMs);
    assert.equal(view(discovery)[GROUP], 'v1 Current: flunders');
    const before = server.seen.length;
    assert.equal(before, tag === undefined ? 2 : 3);
    await clock.advance(pollTimes.refreshMs - 1);
    assert.ok(clock.isWaiting(pollTimes.refreshMs), 'it is not asked yet');
    await clock.advance(1);
    await soon(() => server.seen.length > before, 'the next one');
  }
});

for (const status of [404, 406, 403, 500, 502]) {
  test(`a server that answers ${status} is asked for lists of single versions`, async (t) => {
    const behave: Behaviour = (request, response) => {
      if (request.url === '/apis') respond(response, status, 'no');
      else if (request.url === `/apis/${GROUP}/v1`)
        list(response, [request.url.endsWith('v1') ? 'flunders' : '']);
      else respond(response, 404, 'no');
    };
    const { discovery, server, registrations } = await start(t, behave);
    for (const one of ['v1', 'v2']) registrations.put(remoteAt(server, GROUP, one));
    await soon(() => view(discovery)[GROUP] === 'v2 Stale:, v1 Current: flunders', 'one of two');
    const asked = server.seen.find(({ path }) => path.endsWith('v1'));
    assert.equal(asked?.headers['x-remote-group'], undefined);
    assert.equal(asked?.headers['x-remote-user'], 'system:kube-aggregator');
  });
}

const lies: { name: string; behave: Behaviour; err: RegExp }[] = [
  { name: '503', behave: (_, response) => respond(response, 503, 'no'), err: /answered 503/ },
  {
    name: 'HTML',
    behave: (_, response) => respond(response, 200, '<html>', 'text/html'),
    err: /no JSON/,
  },
  {
    name: 'a redirect',
    behave: (_, response) => void response.writeHead(302, { location: '/' }).end(),
    err: /answered 302/,
  },
  {
    name: '304 without a tag',
    behave: (_, response) => void response.writeHead(304).end(),
    err: /answered 304/,
  },
  {
    name: 'wrong types',
    behave: (_, response) =>
      respond(response, 200, '{"kind":"APIGroupDiscoveryList","items":7}', ACCEPT),
    err: /items is no list/,
  },
  {
    name: 'great depth',
    behave: (_, response) => respond(response, 200, '['.repeat(100_000), ACCEPT),
    err: /for depth/,
  },
  {
    name: 'an answer cut short',
    behave: (_, response) => {
      response.writeHead(200, { 'content-type': ACCEPT, 'content-length': '1000' });
      response.write('{', () => response.destroy());
    },
    err: /abort|closed|hang up/,
  },
  {
    name: 'an endless body',
    behave: (_, response) => endless(response),
    err: /more than 4194304 bytes/,
  },
  { name: 'nothing at all', behave: (request) => void request.socket.destroy(), err: /dial/ },
];
for (const { name, behave, err } of lies) {
  test(`the last good document stays when the server answers with ${name}`, async (t) => {
    const { discovery, server, registrations, clock, lines } = await start(
      t,
      servesAggregated(['flunders']),
    );
    registrations.put(remoteAt(server, GROUP, 'v1'));
    await planned(clock, pollTimes.refreshMs);
    server.behave = behave;
    await clock.advance(pollTimes.refreshMs);
    await soon(
      () => err.test(lines.join('\n')),
      `a line that says ${err}, not ${lines.join('\n')}`,
    );
    assert.equal(view(discovery)[GROUP], 'v1 Current: flunders');
  });
}

test('silence ends after five seconds', async (t) => {
  const { discovery, server, registrations, clock, lines } = await start(t, () => {});
  registrations.put(remoteAt(server, GROUP, 'v1'));
  await soon(() => server.seen.length === 1, 'the question');
  await clock.advance(5_000);
  await soon(() => /not answered within 5000 ms/.test(lines.join('\n')), 'the end');
  assert.equal(view(discovery)[GROUP], 'v1 Stale:');
});

test('failures are repeated after half a second, then ever more seldom, at least once a minute', async (t) => {
  const { server, registrations, clock } = await start(t, (_, response) =>
    respond(response, 503, 'no'),
  );
  registrations.put(remoteAt(server, GROUP, 'v1'));
  let count = 1;
  for (const waitMs of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    await planned(clock, waitMs);
    assert.equal(server.seen.length, count, `${waitMs} ms`);
    await clock.advance(waitMs - 1);
    assert.ok(clock.isWaiting(waitMs), `it is not asked before ${waitMs} ms`);
    await clock.advance(1);
    count += 1;
  }
  await soon(() => server.seen.length === count, 'the last one');
});

test('a server that is back is asked at once, also when an older question hangs', async (t) => {
  const { discovery, server, registrations, availability } = await start(t, () => {});
  registrations.put(remoteAt(server, GROUP, 'v1'));
  await soon(() => server.seen.length === 1, 'the question that hangs');
  server.behave = servesAggregated(['flunders']);
  availability.set(NAME, 'True');
  // The clock stands still: no timeout of the older question is waited for.
  await soon(() => view(discovery)[GROUP] === 'v1 Current: flunders', 'the resources');
});

test('a dead server is listed as it was for a day, then as stale, with what it had', async (t) => {
  const { discovery, server, registrations, clock } = await start(
    t,
    servesAggregated(['flunders']),
  );
  registrations.put(remoteAt(server, GROUP, 'v1'));
  await planned(clock, pollTimes.refreshMs);
  await server.stop();
  await clock.advance(pollTimes.refreshMs);
  await planned(clock, pollTimes.firstRetryMs);
  await clock.advance(DAY_MS - 2 * pollTimes.refreshMs);
  assert.equal(view(discovery)[GROUP], 'v1 Current: flunders');
  await clock.advance(2 * pollTimes.refreshMs);
  assert.equal(view(discovery)[GROUP], 'v1 Stale: flunders');
});

test('or as upstream has it: stale and empty at once', async (t) => {
  const { discovery, server, registrations, availability } = await start(
    t,
    servesAggregated(['flunders']),
    { unavailable: 'stale' },
  );
  registrations.put(remoteAt(server, GROUP, 'v1'));
  await soon(() => view(discovery)[GROUP] === 'v1 Current: flunders', 'the resources');
  await server.stop();
  availability.set(NAME, 'False');
  await soon(() => view(discovery)[GROUP] === 'v1 Stale:', 'the end');
  assert.equal(get(discovery, `/apis/${GROUP}/v1`), undefined);
});

test('what a server said is there after a restart, and for nobody else', async (t) => {
  const first = await start(t, servesAggregated(['flunders']));
  first.registrations.put(remoteAt(first.server, GROUP, 'v1'));
  await soon(() => first.documents.writes === 2, 'both documents');
  await first.discovery.close();
  await first.server.stop();
  const stored = [...first.documents.now.values()];
  const again = await start(t, () => {}, { documents: memoryDocuments(stored) });
  again.registrations.put(remoteAt(first.server, GROUP, 'v1'));
  again.availability.set(NAME, 'False');
  assert.equal(view(again.discovery)[GROUP], 'v1 Current: flunders');
  assert.equal(
    JSON.parse(body(get(again.discovery, `/apis/${GROUP}/v1`))).resources[0].storageVersionHash,
    'hash',
  );
  const other = await start(t, () => {}, { documents: memoryDocuments(stored) });
  other.registrations.put(remoteAt(first.server, GROUP, 'v1', { uid: 'another' }));
  assert.equal(view(other.discovery)[GROUP], 'v1 Stale:');
  const garbage = stored.map((one) => ({ ...one, bytes: Buffer.from('{"resources":7}') }));
  const broken = await start(t, () => {}, { documents: memoryDocuments(garbage) });
  broken.registrations.put(remoteAt(first.server, GROUP, 'v1'));
  assert.equal(view(broken.discovery)[GROUP], 'v1 Stale:');
  assert.match(broken.lines.join('\n'), /Ignoring stored discovery document/);
});

test('the list of a version is what its server says now, or what it said last', async (t) => {
  const now = { kind: 'bytes', code: 200, contentType: 'text/plain', chunks: [] } as const;
  const { discovery, server, registrations, availability, clock } = await start(
    t,
    servesAggregated(['flunders']),
    { proxy: () => now },
  );
  registrations.put(remoteAt(server, GROUP, 'v1'));
  await planned(clock, pollTimes.refreshMs);
  assert.equal(await discovery.route(requestFor(`/apis/${GROUP}/v1`)), now);
  availability.set(NAME, 'False');
  const listed = () => JSON.parse(body(get(discovery, `/apis/${GROUP}/v1`)));
  // Its list was asked for, and is read in a moment; until then it is made of the aggregated document.
  await soon(() => listed().resources[0].storageVersionHash === 'hash', 'the list');
  await server.stop();
  const list = listed();
  assert.equal(list.kind, 'APIResourceList');
  assert.equal(list.groupVersion, `${GROUP}/v1`);
  assert.equal(list.resources[0].storageVersionHash, 'hash');
  assert.equal(get(discovery, `/apis/${GROUP}/v2`), undefined);
  assert.equal(
    await discovery.route(requestFor(`/apis/${GROUP}/v1`, { method: 'POST' })),
    undefined,
  );
  assert.match(body(get(discovery, `/apis/${GROUP}/v1`, 'application/yaml')), /^apiVersion: v1\n/);
});

test('a list that was never read is made of the aggregated document', async (t) => {
  const behave: Behaviour = (request, response) =>
    request.url === '/apis'
      ? servesAggregated(['flunders'])(request, response)
      : respond(response, 403, 'no');
  const { discovery, server, registrations, availability, clock } = await start(t, behave);
  registrations.put(remoteAt(server, GROUP, 'v1'));
  await planned(clock, pollTimes.refreshMs);
  availability.set(NAME, 'False');
  const [flunders] = JSON.parse(body(get(discovery, `/apis/${GROUP}/v1`))).resources;
  assert.deepEqual(flunders, {
    name: 'flunders',
    singularName: '',
    namespaced: true,
    kind: 'K',
    verbs: ['list'],
  });
});

test('a version that moves to another server is listed all the time', async (t) => {
  const { discovery, server, registrations } = await start(t, servesAggregated(['flunders']));
  registrations.put(remoteAt(server, GROUP, 'v1'));
  await soon(() => view(discovery)[GROUP] === 'v1 Current: flunders', 'the first server');
  const other = await lyingServer(t, servesAggregated(['fischers']));
  registrations.put(remoteAt(other, GROUP, 'v1'));
  assert.equal(view(discovery)[GROUP], 'v1 Current: flunders');
  await soon(() => view(discovery)[GROUP] === 'v1 Current: fischers', 'the second one');
});

test('what the old server says of a version that has moved is not heard', async (t) => {
  const { discovery, server, registrations } = await start(t, servesAggregated(['flunders']));
  for (const one of ['v1', 'v2']) registrations.put(remoteAt(server, GROUP, one));
  await soon(() => view(discovery)[GROUP] === 'v2 Current: flunders, v1 Current: flunders', 'both');
  await soon(() => server.seen.length === 3, 'the end of the first questions');
  let release = () => {};
  server.behave = (request, response) => {
    release = () => servesAggregated(['gone'])(request, response);
  };
  registrations.put(remoteAt(server, GROUP, 'v2', { uid: 'asks again' }));
  await soon(() => server.seen.length === 4, 'the question that waits');
  const other = await lyingServer(t, servesAggregated(['fischers']));
  registrations.put(remoteAt(other, GROUP, 'v1'));
  await soon(() => /v1 Current: fischers/.test(view(discovery)[GROUP] ?? ''), 'the new server');
  server.behave = servesAggregated(['gone']);
  release();
  await soon(() => /v2 Current: gone/.test(view(discovery)[GROUP] ?? ''), 'the old server');
  assert.equal(view(discovery)[GROUP], 'v2 Current: gone, v1 Current: fischers');
});

test('a version that becomes local is no longer asked for, and the local one is seen', async (t) => {
  const { discovery, server, registrations } = await start(
    t,
    servesAggregated(['flunders'], undefined, 'local.example.com'),
  );
  registrations.put(remoteAt(server, 'local.example.com', 'v1'));
  await soon(
    () => view(discovery)['local.example.com'] === 'v1 Current: flunders',
    'the remote one',
  );
  registrations.put(localAt('local.example.com', 'v1'));
  assert.equal(view(discovery)['local.example.com'], 'v1 Current: things');
});

test('priorities are those of the registration, also after a change, and nothing is asked for it', async (t) => {
  const { discovery, server, registrations, clock } = await start(
    t,
    servesAggregated(['flunders']),
  );
  registrations.put(localAt('local.example.com', 'v1', { groupPriorityMinimum: 1500 }));
  registrations.put(remoteAt(server, GROUP, 'v1'));
  await planned(clock, pollTimes.refreshMs);
  assert.deepEqual(legacyGroups(discovery), ['local.example.com', GROUP]);
  registrations.put(remoteAt(server, GROUP, 'v1', { groupPriorityMinimum: 2000 }));
  assert.deepEqual(legacyGroups(discovery), [GROUP, 'local.example.com']);
  assert.deepEqual(Object.keys(view(discovery)), [GROUP, 'local.example.com']);
  await turns();
  assert.ok(clock.isWaiting(pollTimes.refreshMs), 'the next question has its time');
  assert.equal(server.seen.length, 2);
});

test('nobody can be registered in place of registrations themselves', async (t) => {
  const { discovery, server, registrations } = await start(t, servesAggregated(['flunders']));
  registrations.put(remoteAt(server, 'apiregistration.k8s.io', 'v2'));
  assert.equal(view(discovery)['apiregistration.k8s.io'], undefined);
  assert.equal(server.seen.length, 0);
});

test('documents are put together once per change, and have a tag', async (t) => {
  const { discovery, registrations } = await start(t, () => {});
  const registry = new MetricsRegistry();
  discovery.registerMetrics(registry);
  const count = () =>
    Number(/^aggregator_discovery_aggregation_count_total (\d+)$/m.exec(registry.text())?.[1]);
  const first = get(discovery, '/apis', ACCEPT);
  const before = count();
  const tag = header(first, 'ETag');
  assert.match(tag, /^"[0-9A-F]{128}"$/);
  const same = get(discovery, '/apis', `${ACCEPT};profile=nopeer`, tag);
  assert.equal(same?.kind === 'bytes' && same.code, 304);
  get(discovery, '/apis');
  assert.equal(count(), before);
  registrations.put(localAt('other.example.com', 'v1'));
  assert.equal(get(discovery, '/apis', ACCEPT)?.kind, 'bytes');
  assert.equal(count(), before + 1);
});

test('the index has the paths of all', async (t) => {
  const { discovery, server, registrations } = await start(t, () => {}, {
    morePaths: () => ['/aggregation/servers'],
  });
  registrations.put(remoteAt(server, GROUP, 'v1'));
  const { paths } = JSON.parse(body(get(discovery, '/'))) as { paths: string[] };
  const wanted = [
    `/apis/${GROUP}`,
    `/apis/${GROUP}/v1`,
    '/apis/local.example.com/v1',
    '/aggregation/servers',
    '/version',
  ];
  for (const path of wanted) assert.ok(paths.includes(path), path);
  assert.deepEqual(paths, [...new Set(paths)].sort());
});

for (const path of [
  '/apis/none.example.com',
  '/apisx',
  '/apis/a/b/c',
  '/api',
  '/api/v1',
  '/version',
  `//apis/${GROUP}`,
]) {
  test(`${path} is left to others`, async (t) => {
    const { discovery } = await start(t, () => {});
    assert.equal(get(discovery, path), undefined);
  });
}

async function start(t: TestContext, behave: Behaviour, more: Partial<DiscoveryOptions> = {}) {
  const server = await lyingServer(t, behave);
  const registrations = testRegistrations();
  const availability = testAvailability();
  const documents = memoryDocuments();
  const clock = new DelayClock();
  const { log, lines } = silentLog();
  const discovery = startDiscovery({
    registrations,
    backends: directBackends(),
    availability,
    documents,
    localApis: () => [local],
    localPriorities: () => undefined,
    proxy: () => undefined,
    clock,
    log,
    ...more,
  });
  defer(t, () => discovery.close());
  await discovery.ready;
  return { discovery, server, registrations, availability, documents, clock, lines };
}

/** Until a round of questions has ended, and the next one comes after that time. */
async function planned(clock: DelayClock, delayMs: number): Promise<void> {
  const isPlanned = () => clock.isWaiting(delayMs) && !clock.isWaiting(EXCHANGE_TIMEOUT_MS);
  await soon(isPlanned, `the next question after ${delayMs} ms`);
}

type Discovery = ReturnType<typeof startDiscovery>;

function get({ route }: Discovery, path: string, accept = 'application/json', tag?: string) {
  const headerLines = ['Accept', accept, ...(tag === undefined ? [] : ['If-None-Match', tag])];
  const response = route(requestFor(path, { headerLines }));
  assert.ok(!(response instanceof Promise));
  return response;
}

function body(response: ReturnType<typeof get>): string {
  assert.equal(response?.kind, 'bytes');
  return Buffer.concat(response.chunks).toString();
}

function header(response: ReturnType<typeof get>, name: string): string {
  return response?.headers?.find(([candidate]) => candidate === name)?.[1] ?? '';
}

/** By group: its versions, how fresh they are, and their resources. */
function view(discovery: Discovery): Record<string, string> {
  const { items } = JSON.parse(body(get(discovery, '/apis', ACCEPT))) as {
    items: {
      metadata: { name: string };
      versions: { version: string; freshness: string; resources?: { resource: string }[] }[];
    }[];
  };
  return Object.fromEntries(
    items.map(({ metadata, versions }) => [
      metadata.name,
      versions
        .map((one) =>
          [
            `${one.version} ${one.freshness}:`,
            ...(one.resources ?? []).map(({ resource }) => resource),
          ].join(' '),
        )
        .join(', '),
    ]),
  );
}

function legacyGroups(discovery: Discovery): string[] {
  const { groups } = JSON.parse(body(get(discovery, '/apis'))) as { groups: { name: string }[] };
  for (const { name } of groups) {
    assert.equal(JSON.parse(body(get(discovery, `/apis/${name}`))).name, name);
  }
  return groups.map(({ name }) => name);
}

/** Two versions with the same resources, as both kinds of document. */
function servesAggregated(resources: readonly string[], tag?: string, group = GROUP): Behaviour {
  return (request, response) => {
    if (request.url !== '/apis') return list(response, resources);
    if (tag !== undefined && request.headers['if-none-match'] === tag) {
      response.writeHead(304).end();
      return;
    }
    if (tag !== undefined) response.setHeader('etag', tag);
    const versions = ['v1', 'v2'].map((one) => ({
      version: one,
      resources: resources.map((resource) => ({
        resource,
        responseKind: { group, version: one, kind: 'K' },
        scope: 'Namespaced',
        verbs: ['list'],
      })),
    }));
    const items = [{ metadata: { name: group }, versions }];
    respond(response, 200, JSON.stringify({ kind: 'APIGroupDiscoveryList', items }), ACCEPT);
  };
}

function list(response: ServerResponse, names: readonly string[]): void {
  const resources = names.map((name) => ({
    name,
    singularName: '',
    namespaced: true,
    kind: 'K',
    verbs: ['list'],
    storageVersionHash: 'hash',
  }));
  respond(response, 200, JSON.stringify({ kind: 'APIResourceList', resources }));
}

function respond(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'application/json',
): void {
  response.writeHead(status, { 'content-type': type }).end(text);
}

function endless(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': ACCEPT });
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 0x20)));
  };
  response.on('drain', more);
  more();
}
