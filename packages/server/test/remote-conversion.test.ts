/** Objects converted by a webhook: every verb, and a converter that works, is slow, fails or returns other objects. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type KubeObject, plainError, type StatusError } from '@tributary/apimachinery';
import { eventually, turns } from '../../../test/harness/index.ts';
import type { ConvertedVersions, RemoteConversion } from '../src/definition/conversion.ts';
import { startTestServer, type TestServer } from '../src/testing/index.ts';
import { everything } from './everything-api.ts';
import { type Gadget, type GadgetOptions, gadget, LIVE_GROUP, renamed } from './live-fixture.ts';

const v1 = `/apis/${LIVE_GROUP}/v1/namespaces/default/gadgets`;
const v2 = `/apis/${LIVE_GROUP}/v2/namespaces/default/gadgets`;
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PARTIAL = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

type Convert = (objects: readonly KubeObject[], to: string) => Promise<readonly KubeObject[]>;

/** Renames what the versions call differently, and writes down what it was asked. */
class Converter implements RemoteConversion {
  readonly calls: (ConvertedVersions & { readonly count: number })[] = [];
  respond: Convert = async (objects, to) => objects.map((object) => renamed(object, to));

  convert(objects: readonly KubeObject[], versions: ConvertedVersions) {
    for (const { apiVersion, metadata } of objects) {
      assert.equal(apiVersion, versions.from);
      assert.equal(metadata.resourceVersion, undefined, 'states are nothing for a converter');
    }
    this.calls.push({ ...versions, count: objects.length });
    return this.respond(objects, versions.to);
  }

  /** The conversions since the last call. */
  asked(): string[] {
    const texts = this.calls.map(
      ({ from, to, count }) => `${from.slice(-2)} to ${to.slice(-2)}: ${count}`,
    );
    this.calls.length = 0;
    return texts;
  }
}

async function start(t: TestContext, options: GadgetOptions = {}) {
  const server = await startTestServer(everything);
  t.after(() => server.close());
  const converter = new Converter();
  server.live.serve('gadgets', gadget({ ...options, conversion: converter }));
  return { server, converter };
}

function named(name: string, spec: object, version = 'v2'): object {
  const apiVersion = `${LIVE_GROUP}/${version}`;
  return { apiVersion, kind: 'Gadget', metadata: { name }, spec };
}

async function send(
  server: TestServer,
  method: string,
  path: string,
  options: Parameters<TestServer['request']>[2] = {},
): Promise<Gadget> {
  const { status, object, text } = await server.request<Gadget>(method, path, options);
  assert.ok(status < 300, `${method} ${path}: ${text}`);
  return object;
}

async function storedText(server: TestServer): Promise<string> {
  const { signal } = new AbortController();
  const { items } = await server.storage.list(`/registry/${LIVE_GROUP}/`, { limit: 10, signal });
  return items.map(({ value }) => Buffer.from(value).toString()).join('\n');
}

test('writes are stored in the storage version and returned in that of the client', async (t) => {
  const { server, converter } = await start(t);
  const created = await send(server, 'POST', v2, { body: named('a', { width: 1 }) });
  assert.deepEqual([created.apiVersion, created.spec], [`${LIVE_GROUP}/v2`, { width: 1 }]);
  assert.match(await storedText(server), /"apiVersion":"live.example.com\/v1".*"size":1/);
  // There, and back from what was stored.
  assert.deepEqual(converter.asked(), ['v2 to v1: 1', 'v1 to v2: 1']);

  const put = await send(server, 'PUT', `${v2}/a`, {
    body: { ...created, spec: { width: 2 } },
  });
  assert.deepEqual([put.spec, put.metadata.generation], [{ width: 2 }, 2]);
  const merged = await send(server, 'PATCH', `${v2}/a`, { body: { spec: { colour: 'red' } } });
  assert.deepEqual(merged.spec, { width: 2, colour: 'red' });
  const patched = await send(server, 'PATCH', `${v2}/a`, {
    body: [{ op: 'replace', path: '/spec/width', value: 3 }],
    contentType: 'application/json-patch+json',
  });
  assert.deepEqual(patched.spec, { width: 3, colour: 'red' });
  const status = await send(server, 'PATCH', `${v2}/a/status`, {
    body: { status: { phase: 'up' } },
  });
  assert.deepEqual([status.status, status.metadata.generation], [{ phase: 'up' }, 4]);
  const scale = await send(server, 'PATCH', `${v2}/a/scale`, { body: { spec: { replicas: 5 } } });
  assert.deepEqual([scale.kind, scale.spec], ['Scale', { replicas: 5 }]);
  assert.deepEqual((await send(server, 'GET', `${v2}/a/scale`)).spec, { replicas: 5 });
  assert.match(await storedText(server), /v1".*"replicas":5.*"size":3/);
  const finalized = await send(server, 'PATCH', `${v2}/a`, {
    body: { metadata: { finalizers: ['example.com/hold'] } },
  });
  assert.deepEqual(finalized.metadata.finalizers, ['example.com/hold']);
  const marked = await send(server, 'DELETE', `${v2}/a`);
  assert.deepEqual([marked.apiVersion, marked.spec?.width], [`${LIVE_GROUP}/v2`, 3]);
  assert.ok(marked.metadata.deletionTimestamp);
  const invalid = await server.request('POST', v2, { body: named('b', { width: -1 }) });
  assert.equal(invalid.status, 422);
  assert.match(invalid.text, /spec.width/);
  assert.deepEqual(server.bugs, []);
});

test('a write in the stored version asks nobody', async (t) => {
  const { server, converter } = await start(t);
  await send(server, 'POST', v1, { body: named('a', { size: 1 }, 'v1') });
  await send(server, 'PATCH', `${v1}/a`, { body: { spec: { size: 2 } } });
  await send(server, 'GET', `${v1}/a`);
  await send(server, 'DELETE', `${v1}/a`);
  assert.deepEqual(converter.asked(), []);
});

test('who owns what is known over versions', async (t) => {
  const { server } = await start(t);
  const apply = (version: string, manager: string, spec: object) =>
    server.request<Gadget>('PATCH', `${version === 'v1' ? v1 : v2}/a?fieldManager=${manager}`, {
      body: named('a', spec, version),
      contentType: 'application/apply-patch+yaml',
    });
  assert.equal((await apply('v1', 'one', { size: 1, colour: 'red' })).status, 201);
  const conflict = await apply('v2', 'two', { width: 2 });
  assert.equal(conflict.status, 409);
  assert.match(conflict.text, /conflict with \\"one\\": .spec.size/);
  assert.equal((await apply('v2', 'two', { width: 1, replicas: 4 })).status, 200);
  // Fields that the first manager no longer applies are removed, unless the second one applies them.
  const last = await apply('v1', 'one', {});
  assert.deepEqual(last.object.spec, { size: 1, replicas: 4 }, last.text);
});

test('a list asks once for all it does not know yet', async (t) => {
  const { server, converter } = await start(t);
  for (const name of ['a', 'b', 'c', 'd']) {
    await send(server, 'POST', v1, { body: named(name, { size: 1 }, 'v1') });
  }
  const { items } = (await send(server, 'GET', v2)) as unknown as { items: Gadget[] };
  assert.deepEqual(
    items.map(({ spec }) => spec),
    Array(4).fill({ width: 1 }),
  );
  assert.deepEqual(converter.asked(), ['v1 to v2: 4']);
  await send(server, 'GET', v2);
  await send(server, 'GET', `${v2}/c`);
  await send(server, 'POST', v1, { body: named('e', { size: 9 }, 'v1') });
  assert.deepEqual(converter.asked(), []);
  const table = await server.request<{ rows: { cells: unknown[] }[] }>('GET', v2, {
    headers: { Accept: TABLE },
  });
  assert.deepEqual(
    table.object.rows.map(({ cells }) => cells.slice(0, 2)),
    [
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 1],
      ['e', 9],
    ],
  );
  assert.deepEqual(converter.asked(), ['v1 to v2: 1']);
  const partial = await server.request<{ items: Gadget[] }>('GET', v2, {
    headers: { Accept: PARTIAL },
  });
  assert.equal(partial.object.items.length, 5);
  const deleted = (await send(server, 'DELETE', v2)) as unknown as { items: Gadget[] };
  assert.deepEqual(
    deleted.items.map(({ apiVersion }) => apiVersion.slice(-2)),
    Array(5).fill('v2'),
  );
  assert.deepEqual(converter.asked(), []);
});

for (const [version, path] of [
  ['v1', v1],
  ['v2', v2],
] as const) {
  test(`a deletecollection in ${version} deletes in the order of the list, though marking an object takes longer than removing it`, async (t) => {
    const { server } = await start(t);
    for (const name of ['a', 'b', 'c', 'd'])
      await send(server, 'POST', v1, { body: named(name, {}, 'v1') });
    for (const name of ['a', 'c']) {
      const body = { metadata: { finalizers: ['example.com/hold'] } };
      await send(server, 'PATCH', `${v1}/${name}`, { body });
    }
    const watch = await server.watch<Gadget>(
      `${v1}?watch=true&resourceVersion=${(await send(server, 'GET', v1)).metadata.resourceVersion}`,
    );
    await send(server, 'DELETE', path);
    const events: string[] = [];
    for await (const { type, object } of watch) {
      events.push(`${type} ${object.metadata.name}`);
      if (events.length === 4) break;
    }
    assert.deepEqual(events, ['MODIFIED a', 'DELETED b', 'MODIFIED c', 'DELETED d']);
  });
}

test('a watch keeps the order, bookmarks wait, and many watches ask once', async (t) => {
  const { server, converter } = await start(t);
  await send(server, 'POST', v1, { body: named('a', { size: 1 }, 'v1') });
  const quick = converter.respond;
  let gate = Promise.withResolvers<void>();
  converter.respond = async (objects, to) => {
    await gate.promise;
    return quick(objects, to);
  };
  const initial = `${v2}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;
  const seen: string[][] = [];
  const watches = Array.from({ length: 20 }, async () => {
    const events: string[] = [];
    seen.push(events);
    const watch = await server.watch<Gadget>(initial);
    for await (const { type, object } of watch) {
      events.push(`${type} ${object.metadata.name ?? ''} ${object.spec?.width ?? ''}`.trim());
      if (events.length === 4) return watch.close();
    }
  });
  /** The events of all watches while a conversion is in progress. */
  const whileAsked = async (count: number) => {
    await eventually('it is asked', () => converter.calls.length >= count);
    await turns();
    return new Set(seen.map((events) => events.join()));
  };
  assert.deepEqual(await whileAsked(1), new Set(['']));
  gate.resolve();
  await eventually('all have begun', () => seen.every(({ length }) => length === 2));
  gate = Promise.withResolvers();
  await send(server, 'POST', v1, { body: named('b', { size: 2 }, 'v1') });
  await send(server, 'PATCH', `${v1}/a`, { body: { spec: { size: 3 } } });
  assert.deepEqual(await whileAsked(2), new Set(['ADDED a 1,BOOKMARK']));
  gate.resolve();
  await Promise.all(watches);
  const want = ['ADDED a 1', 'BOOKMARK', 'ADDED b 2', 'MODIFIED a 3'];
  for (const events of seen) assert.deepEqual(events, want);
  const asked = converter.asked();
  assert.ok(asked.length <= 4, `asked ${asked.length} times for 20 watches: ${asked}`);
});

const failures: { name: string; respond: Convert; want: RegExp; isBug?: true }[] = [
  {
    name: 'failing',
    respond: async () => {
      throw plainError('conversion webhook for live.example.com/v1, Kind=Gadget failed: no');
    },
    want: /^conversion webhook for live.example.com\/v1, Kind=Gadget failed: no$/,
  },
  {
    name: 'broken',
    respond: async () => {
      throw new TypeError('it is not a function');
    },
    want: /^Internal error occurred: it is not a function$/,
    isBug: true,
  },
  {
    name: 'lying about the count',
    respond: async () => [],
    want: /^Internal error occurred: a conversion of 1 objects returned 0$/,
    isBug: true,
  },
];

for (const { name, respond, want, isBug = false } of failures) {
  test(`a converter that is ${name}: 500 for reads and writes, and a watch waits`, async (t) => {
    const { server, converter } = await start(t);
    const created = await send(server, 'POST', v1, { body: named('a', { size: 1 }, 'v1') });
    const before = await storedText(server);
    const healthy = converter.respond;
    converter.respond = respond;
    const requests: [method: string, path: string, body?: object][] = [
      ['GET', `${v2}/a`],
      ['GET', v2],
      ['POST', v2, named('b', { width: 1 })],
      ['PUT', `${v2}/a`, { ...named('a', { width: 1 }), metadata: created.metadata }],
      ['PATCH', `${v2}/a`, { spec: { width: 5 } }],
      ['PATCH', `${v2}/a/status`, { status: { phase: 'up' } }],
      ['GET', `${v2}/a/scale`],
      ['DELETE', `${v2}/a`],
      ['DELETE', v2],
    ];
    for (const [method, path, body] of requests) {
      const got = await server.request<{ message: string }>(method, path, { body });
      assert.equal(got.status, 500, `${method} ${path}: ${got.text}`);
      assert.match(got.object.message, want, `${method} ${path}`);
    }
    assert.equal(await storedText(server), before);
    // A watch whose initial objects cannot be converted does not start.
    await assert.rejects(
      server.watch(`${v2}?watch=true&resourceVersion=0`),
      ({ code, message }: { code: number; message: string }) => {
        const start =
          'storage is (re)initializing: failed to list live.example.com/v2, Kind=Gadget: ';
        assert.ok(message.startsWith(start), message);
        assert.match(message.slice(start.length), want);
        return code === 429;
      },
    );
    // One that has begun waits, and misses nothing.
    const { resourceVersion } = created.metadata;
    const watch = await server.watch<Gadget>(`${v2}?watch=true&resourceVersion=${resourceVersion}`);
    await send(server, 'PATCH', `${v1}/a`, { body: { spec: { colour: 'red' } } });
    const event = watch.event();
    for (let attempt = 0; attempt < 3; attempt += 1) await server.clock.advance(1000);
    // The storage version needs no conversion, and clients that retry after the failure get a response.
    await send(server, 'GET', `${v1}/a`);
    converter.respond = healthy;
    assert.deepEqual((await send(server, 'GET', `${v2}/a`)).spec, { width: 1, colour: 'red' });
    await server.clock.advance(1000);
    assert.deepEqual((await event).object.spec, { width: 1, colour: 'red' });
    watch.close();
    assert.equal(server.bugs.length > 0, isBug);
  });
}

test('a client that leaves does not take the call away from others', async (t) => {
  const { server, converter } = await start(t);
  const { metadata } = await send(server, 'GET', v1);
  await send(server, 'POST', v1, { body: named('a', { size: 1 }, 'v1') });
  const { promise, resolve } = Promise.withResolvers<void>();
  const quick = converter.respond;
  converter.respond = async (objects, to) => {
    await promise;
    return quick(objects, to);
  };
  const first = await server.watch(`${v2}?watch=true&resourceVersion=${metadata.resourceVersion}`);
  const second = send(server, 'GET', `${v2}/a`);
  await eventually('it is asked', () => converter.calls.length > 0);
  await turns();
  first.close();
  resolve();
  assert.deepEqual((await second).spec, { width: 1 });
  assert.deepEqual(converter.asked(), ['v1 to v2: 1']);
});

test('objects stay readable when another version is the stored one, and writes move them', async (t) => {
  const { server, converter } = await start(t);
  await send(server, 'POST', v1, { body: named('a', { size: 1 }, 'v1') });
  await send(server, 'POST', v1, { body: named('b', { size: 2 }, 'v1') });
  server.live.serve('gadgets', gadget({ conversion: converter, storageVersion: 'v2' }));
  converter.asked();
  const list = (await send(server, 'GET', v1)) as unknown as { items: Gadget[] };
  assert.deepEqual(
    list.items.map(({ spec }) => spec),
    [{ size: 1 }, { size: 2 }],
  );
  // As it is stored is how it is asked for.
  assert.deepEqual(converter.asked(), []);
  assert.deepEqual((await send(server, 'GET', `${v2}/a`)).spec, { width: 1 });
  const read = await send(server, 'GET', `${v1}/a`);
  const same = await send(server, 'PUT', `${v1}/a`, { body: read });
  assert.notEqual(same.metadata.resourceVersion, read.metadata.resourceVersion);
  const [a = '', b = ''] = (await storedText(server)).split('\n');
  assert.match(a, /live.example.com\/v2".*"width":1/);
  assert.match(b, /live.example.com\/v1".*"size":2/);
  const mixed = (await send(server, 'GET', v2)) as unknown as { items: Gadget[] };
  assert.deepEqual(
    mixed.items.map(({ spec }) => spec),
    [{ width: 1 }, { width: 2 }],
  );
  assert.deepEqual(server.bugs, []);
});

test('fields of a version that somebody else makes can be selected', async (t) => {
  const { server, converter } = await start(t, { selectable: true });
  for (const [name, size] of [
    ['a', 1],
    ['b', 2],
    ['c', 1],
    ['d', 2],
    ['e', 2],
  ] as const) {
    await send(server, 'POST', v1, { body: named(name, { size }, 'v1') });
  }
  type List = { items: Gadget[]; metadata: { continue?: string; resourceVersion: string } };
  const namesOf = ({ items }: List) => items.map(({ metadata }) => metadata.name).join('');
  const list = async (query: string) =>
    (await send(server, 'GET', `${v2}?${query}`)) as unknown as List;
  const selector = 'fieldSelector=spec.width%3D2';
  const all = await list(selector);
  assert.equal(namesOf(all), 'bde');
  assert.deepEqual(converter.asked(), ['v1 to v2: 5']);
  assert.equal(namesOf(await list('fieldSelector=spec.width!%3D2')), 'ac');
  assert.equal(namesOf(await list(`${selector},metadata.name%3Dd`)), 'd');
  const first = await list(`${selector}&limit=2`);
  assert.equal(namesOf(first), 'bd');
  const rest = await list(`${selector}&limit=2&continue=${first.metadata.continue}`);
  assert.deepEqual([namesOf(rest), rest.metadata.continue], ['e', undefined]);
  const stored = (await send(server, 'GET', `${v1}?fieldSelector=spec.size%3D1`)) as unknown;
  assert.equal(namesOf(stored as List), 'ac');
  const unknown = await server.request('GET', `${v2}?fieldSelector=spec.size%3D1`);
  assert.equal(unknown.status, 400);

  const { resourceVersion } = all.metadata;
  const watch = await server.watch<Gadget>(
    `${v2}?watch=true&${selector}&resourceVersion=${resourceVersion}`,
  );
  const patch = (name: string, spec: object) =>
    send(server, 'PATCH', `${v1}/${name}`, { body: { spec } });
  await patch('a', { size: 2 });
  await patch('c', { colour: 'red' });
  await patch('a', { colour: 'red' });
  const { metadata } = await patch('b', { size: 7 });
  await send(server, 'DELETE', `${v1}/c`);
  await send(server, 'DELETE', `${v1}/d`);
  const events: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    const { type, object } = await watch.event();
    events.push(`${type} ${object.metadata.name} ${object.spec?.width}`);
    // A watch that resumes there does not get the event again.
    if (object.metadata.name === 'b') {
      assert.equal(object.metadata.resourceVersion, metadata.resourceVersion);
    }
  }
  watch.close();
  assert.deepEqual(events, ['ADDED a 2', 'MODIFIED a 2', 'DELETED b 2', 'DELETED d 2']);
});

test('labels that somebody else writes are the ones that are selected', async (t) => {
  const { server, converter } = await start(t);
  const honest = converter.respond;
  converter.respond = async (objects, to) => {
    const converted = await honest(objects, to);
    return converted.map((one) => {
      const labels = { width: String((one.spec as { width?: number }).width ?? 0) };
      return { ...one, metadata: { ...one.metadata, labels } };
    });
  };
  for (const [name, size] of [
    ['a', 1],
    ['b', 2],
  ] as const) {
    const object = {
      ...named(name, { size }, 'v1'),
      metadata: { name, labels: { stored: 'yes' } },
    };
    await send(server, 'POST', v1, { body: object });
  }
  type List = { items: Gadget[]; metadata: { resourceVersion: string } };
  const namesIn = async (path: string, labelSelector: string) => {
    const query = `labelSelector=${encodeURIComponent(labelSelector)}`;
    const { items } = (await send(server, 'GET', `${path}?${query}`)) as unknown as List;
    return items.map(({ metadata }) => metadata.name).join('');
  };
  assert.equal(await namesIn(v1, 'stored=yes'), 'ab');
  assert.equal(await namesIn(v2, 'stored=yes'), '');
  assert.equal(await namesIn(v2, 'width=2'), 'b');
  const { metadata } = (await send(server, 'GET', v1)) as unknown as List;
  const watch = await server.watch<Gadget>(
    `${v2}?watch=true&labelSelector=width%3D2&resourceVersion=${metadata.resourceVersion}`,
  );
  await send(server, 'PATCH', `${v1}/a`, { body: { spec: { size: 2 } } });
  await send(server, 'PATCH', `${v1}/b`, { body: { spec: { size: 3 } } });
  const events = [await watch.event(), await watch.event()];
  watch.close();
  assert.deepEqual(
    events.map(({ type, object }) => `${type} ${object.metadata.name}`),
    ['ADDED a', 'DELETED b'],
  );
  await send(server, 'DELETE', `${v2}?labelSelector=width%3D3`);
  assert.equal(await namesIn(v1, 'stored=yes'), 'a');
});

test('a watch tells what can be converted before what cannot, and ends when that stays so', async (t) => {
  const { server, converter } = await start(t);
  const honest = converter.respond;
  converter.respond = async (objects, to) => {
    const isRed = ({ spec }: KubeObject) => (spec as { colour?: string }).colour === 'red';
    if (objects.some(isRed)) throw plainError('red is refused');
    return honest(objects, to);
  };
  const { metadata } = await send(server, 'GET', v1);
  for (const [name, colour] of [
    ['a', 'green'],
    ['b', 'blue'],
    ['c', 'red'],
    ['d', 'green'],
  ] as const) {
    await send(server, 'POST', v1, { body: named(name, { size: 1, colour }, 'v1') });
  }
  await send(server, 'DELETE', `${v1}/c`);
  const since = `${v2}?watch=true&resourceVersion=${metadata.resourceVersion}`;
  const watch = await server.watch<Gadget>(since);
  for (const name of ['a', 'b']) {
    const { type, object } = await watch.event();
    assert.deepEqual([type, object.metadata.name], ['ADDED', name]);
  }
  const ends: StatusError[] = [];
  const last = watch.event().catch((error: StatusError) => ends.push(error));
  for (let second = 0; second < 299; second += 1) await server.clock.advance(1000);
  assert.equal(ends.length, 0);
  for (let second = 0; second < 2; second += 1) await server.clock.advance(1000);
  await last;
  assert.deepEqual(
    ends.map(({ status }) => [status.code, status.reason]),
    [[410, 'Expired']],
  );
});
