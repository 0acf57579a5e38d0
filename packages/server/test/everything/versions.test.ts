/** Three versions of one resource: what is written in one is there in all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '@tributary/apimachinery';
import { REST_ANNOTATION, Widget } from '../everything-api.ts';
import { GROUP, type Loose, outcomeOf, startEverything, VERSIONS, widgetsPath } from './fixture.ts';

const KEY = `/registry/${GROUP}/widgets/default/`;

/** The same widget in the words of each version. */
const green = {
  v1: { colour: 'green', replicas: 3, ports: [{ port: 80, protocol: 'TCP' }], tags: ['a'] },
  v1beta1: {
    appearance: { colour: 'green' },
    count: 3,
    ports: [{ port: 80, protocol: 'TCP' }],
    tags: ['a'],
  },
  v1alpha1: { color: 'green', count: 3, ports: ['80/TCP'], tags: ['a'] },
} as const;

function wordsOf(version: (typeof VERSIONS)[number], { spec }: Loose): unknown {
  const { placement: _filledIn, ...words } = spec;
  return version === 'v1alpha1' ? spec : words;
}

for (const written of VERSIONS) {
  test(`what is created in ${written} is read, listed and watched in every version`, async (t) => {
    const server = await startEverything(t);
    const created = await server.request<Loose>('POST', widgetsPath(written), {
      body: { metadata: { name: 'a' }, spec: green[written] },
    });
    assert.equal(created.status, 201, created.text);
    assert.equal(created.object.apiVersion, `${GROUP}/${written}`);
    for (const version of VERSIONS) {
      const path = widgetsPath(version);
      const { object } = await server.request<Loose>('GET', `${path}/a`);
      assert.equal(object.apiVersion, `${GROUP}/${version}`);
      assert.deepEqual(wordsOf(version, object), green[version], version);
      assert.equal(object.metadata.uid, created.object.metadata.uid);
      assert.equal(object.metadata.resourceVersion, created.object.metadata.resourceVersion);
      const list = await server.request<{ apiVersion: string; items: Loose[] }>('GET', path);
      assert.equal(list.object.apiVersion, `${GROUP}/${version}`);
      assert.deepEqual(list.object.items, [object]);
      const watch = await server.watch<Loose>(`${path}?watch=true`);
      assert.deepEqual(await watch.event(), { type: 'ADDED', object });
      watch.close();
    }
  });
}

test('a watch of one version sees changes made in the others', async (t) => {
  const server = await startEverything(t);
  const client = server.client(Widget);
  const watches = await Promise.all(VERSIONS.map((version) => client.in(version).watch()));
  await client.in('v1beta1').create({ metadata: { name: 'a' }, spec: { count: 2 } });
  await client.in('v1alpha1').patch('a', { spec: { color: 'blue' } });
  await client.patch('a', { spec: { replicas: 7 } });
  const counts: unknown[][] = [];
  for (const watch of watches) {
    const seen: unknown[] = [];
    for (let at = 0; at < 3; at += 1) {
      const { type, object } = await watch.event();
      const { apiVersion, spec } = object as unknown as Loose;
      seen.push([type, apiVersion.split('/')[1], spec.replicas ?? spec.count]);
    }
    counts.push(seen);
  }
  assert.deepEqual(
    counts,
    VERSIONS.map((version) => [
      ['ADDED', version, 2],
      ['MODIFIED', version, 2],
      ['MODIFIED', version, 7],
    ]),
  );
});

test('a patch in one version leaves alone what that version does not know', async (t) => {
  const server = await startEverything(t);
  const client = server.client(Widget);
  const spec = {
    size: '50%',
    steps: ['x', 'y'],
    serial: 1,
    ports: [{ port: 80, protocol: 'TCP' as const, name: 'http' }],
  };
  await client.create({ metadata: { name: 'a', annotations: { mine: '1' } }, spec });
  const alpha = await client.in('v1alpha1').patch('a', { spec: { count: 9 } });
  assert.deepEqual(Object.keys(alpha.metadata.annotations ?? {}).sort(), [REST_ANNOTATION, 'mine']);
  const after = await client.get('a');
  assert.deepEqual(after.metadata.annotations, { mine: '1' }, 'the annotation is not stored');
  assert.equal(after.spec.replicas, 9);
  const { size, steps, serial, ports } = after.spec;
  assert.deepEqual({ size, steps, serial, ports }, spec);
});

test('an update in an old version keeps what travels in its annotation', async (t) => {
  const client = (await startEverything(t)).client(Widget);
  await client.create({ metadata: { name: 'a' }, spec: { size: 3, note: 'n' } });
  const alpha = await client.in('v1alpha1').get('a');
  await client.in('v1alpha1').update({ ...alpha, spec: { ...alpha.spec, color: 'green' } });
  const after = await client.get('a');
  assert.deepEqual([after.spec.colour, after.spec.size, after.spec.note], ['green', 3, 'n']);
});

const BIG = 9007199254740993n;
const patches = [
  { type: 'merge', body: '{"spec":{"replicas":4}}' },
  { type: 'json', body: '[{"op":"replace","path":"/spec/replicas","value":4}]' },
  { type: 'strategic', body: '{"spec":{"replicas":4}}' },
] as const;

test('integers beyond 2^53 survive every version and every patch', async (t) => {
  const server = await startEverything(t);
  const client = server.client(Widget);
  const serialOf = async () => (await client.get('a')).spec.serial as unknown;
  for (const version of ['v1', 'v1beta1'] as const) {
    const made = await server.request<Loose>('POST', widgetsPath(version), {
      body: `{"metadata":{"name":"a"},"spec":{"serial":${BIG},"extra":{"n":-${BIG}}}}`,
    });
    assert.deepEqual([made.object.spec.serial, made.object.spec.extra], [BIG, { n: -BIG }]);
    for (const { type, body } of patches) {
      await client.patch('a', body, { type });
      assert.equal(await serialOf(), BIG, type);
    }
    await client.in('v1alpha1').patch('a', '{"metadata":{"labels":{"a":"b"}}}');
    assert.equal(await serialOf(), BIG, 'through v1alpha1, where it is text in an annotation');
    const beta = await client.in('v1beta1').get('a');
    await client.in('v1beta1').update(beta);
    assert.equal(await serialOf(), BIG);
    await client.patch('a', '{"spec":{"serial":9223372036854775807}}');
    assert.equal(await serialOf(), 9223372036854775807n);
    await client.delete('a');
  }
});

test('what was stored in another version is read, and rewritten by the next write', async (t) => {
  const server = await startEverything(t);
  const { storage } = server;
  const key = `${KEY}old`;
  const value = Buffer.from(
    `{"kind":"Widget","apiVersion":"${GROUP}/v1beta1","metadata":{"name":"old","namespace":"default","uid":"u","creationTimestamp":"2020-01-01T00:00:00Z","generation":1},"spec":{"appearance":{"colour":"blue"},"count":6}}`,
  );
  const put = await storage.commit({ require: [], writes: [{ kind: 'put', key, value }] });
  assert.equal(put.outcome, 'written');
  const client = server.client(Widget);
  assert.deepEqual((await client.get('old')).spec, { colour: 'blue', replicas: 6 });
  assert.equal((await client.list()).items[0]?.apiVersion, `${GROUP}/v1`);
  assert.equal((await client.in('v1alpha1').get('old')).spec.count, 6);
  assert.deepEqual((await client.list({ fieldSelector: 'spec.colour=blue' })).items.length, 1);
  const stored = async () => parseJson((await storage.get(key))?.value ?? Buffer.of()) as Loose;
  assert.equal((await stored()).apiVersion, `${GROUP}/v1beta1`, 'reading writes nothing');
  await client.patch('old', { metadata: { labels: { touched: 'yes' } } });
  assert.equal((await stored()).apiVersion, `${GROUP}/v1`);
  assert.equal((await stored()).spec.colour, 'blue');
  assert.equal((await client.get('old')).metadata.uid, 'u');
});

test('only the deprecated version warns, whatever is asked of it', async (t) => {
  const server = await startEverything(t);
  const text = `${GROUP}/v1alpha1 Widget is deprecated in v1.30+, unavailable in v1.40+; use ${GROUP}/v1 Widget`;
  const body = { metadata: { name: 'a' }, spec: {} };
  for (const version of VERSIONS) {
    const want = version === 'v1alpha1' ? [text] : [];
    const path = widgetsPath(version);
    const asked = [
      await server.request('POST', path, { body }),
      await server.request('GET', path),
      await server.request('GET', `${path}/a`),
      await server.request('GET', `${path}/missing`),
      await server.request('PATCH', `${path}/a`, { body: {} }),
      await server.request('DELETE', `${path}/a`),
    ];
    for (const { warnings } of asked) assert.deepEqual(warnings, want);
  }
});

test('each version fills in what its own schema says', async (t) => {
  const client = (await startEverything(t)).client(Widget);
  const made = [
    await client.create({ metadata: { name: 'v1' }, spec: {} }),
    await client.in('v1beta1').create({ metadata: { name: 'v1beta1' }, spec: {} }),
    await client.in('v1alpha1').create({ metadata: { name: 'v1alpha1' }, spec: {} }),
  ];
  const placement = { zone: 'a', spread: { enabled: false, distance: 3 } };
  assert.deepEqual(
    made.map(({ spec }) => spec),
    [
      { colour: 'red', replicas: 1, placement },
      { appearance: { colour: 'red' }, count: 1, placement },
      { color: 'red', count: 1 },
    ],
  );
  // A version adds no defaults to fields that it does not have.
  assert.equal((await client.get('v1alpha1')).spec.placement, undefined);
});

const selections = [
  { version: 'v1', selector: 'spec.colour=green', names: ['g'] },
  { version: 'v1', selector: 'spec.colour==green', names: ['g'] },
  { version: 'v1', selector: 'spec.colour!=green', names: ['r', 's'] },
  { version: 'v1', selector: 'spec.replicas=2', names: ['s'] },
  { version: 'v1', selector: 'spec.colour=red,spec.replicas=1', names: ['r'] },
  { version: 'v1', selector: 'status.phase=', names: ['g', 'r', 's'] },
  { version: 'v1', selector: 'metadata.name=g,spec.colour=red', names: [] },
  { version: 'v1', selector: 'metadata.namespace!=default', names: [] },
  { version: 'v1beta1', selector: 'spec.appearance.colour=green', names: ['g'] },
  { version: 'v1beta1', selector: 'spec.appearance.colour!=green', names: ['r', 's'] },
  { version: 'v1alpha1', selector: 'metadata.name!=g', names: ['r', 's'] },
];
const unknown = [
  {
    version: 'v1beta1',
    selector: 'spec.colour=green',
    known: '"metadata.name", "metadata.namespace", "spec.appearance.colour"',
  },
  {
    version: 'v1alpha1',
    selector: 'spec.colour=green',
    known: '"metadata.name", "metadata.namespace"',
  },
];

test('field selectors are those of the version that is asked', async (t) => {
  const server = await startEverything(t);
  const client = server.client(Widget);
  await client.create({ metadata: { name: 'g' }, spec: { colour: 'green' } });
  await client.create({ metadata: { name: 'r' }, spec: {} });
  await client.create({ metadata: { name: 's' }, spec: { replicas: 2 } });
  for (const { version, selector, names } of selections) {
    const query = `?fieldSelector=${encodeURIComponent(selector)}`;
    const { object } = await server.request<{ items: Loose[] }>(
      'GET',
      widgetsPath(version) + query,
    );
    const found = object.items.map(({ metadata }) => metadata.name);
    assert.deepEqual(found, names, `${version} ${selector}`);
  }
  for (const { version, selector, known } of unknown) {
    const query = `?fieldSelector=${encodeURIComponent(selector)}`;
    assert.deepEqual(outcomeOf(await server.request('GET', widgetsPath(version) + query)), {
      status: 400,
      reason: 'BadRequest',
      message: `"spec.colour" is not a known field selector: only ${known}`,
    });
  }
});

test('a watch with a field selector tells what enters and what leaves', async (t) => {
  const client = (await startEverything(t)).client(Widget);
  await client.create({ metadata: { name: 'a' }, spec: { colour: 'red' } });
  const v1 = await client.watch({ fieldSelector: 'spec.colour=green' });
  const beta = await client.in('v1beta1').watch({ fieldSelector: 'spec.appearance.colour!=green' });
  assert.equal((await beta.event()).type, 'ADDED');
  await client.patch('a', { spec: { colour: 'green' } });
  await client.patch('a', { spec: { replicas: 2 } });
  await client.patch('a', { spec: { colour: 'blue' } });
  await client.delete('a');
  const green = [await v1.event(), await v1.event(), await v1.event()];
  assert.deepEqual(
    green.map(({ type, object }) => [type, object.spec.colour, object.spec.replicas]),
    [
      ['ADDED', 'green', 1],
      ['MODIFIED', 'green', 2],
      ['DELETED', 'green', 2], // as it was when it last matched
    ],
  );
  const others = [await beta.event(), await beta.event(), await beta.event()];
  assert.deepEqual(
    others.map(({ type, object }) => [type, object.spec.appearance?.colour]),
    [
      ['DELETED', 'red'],
      ['ADDED', 'blue'],
      ['DELETED', 'blue'],
    ],
  );
});
