/**
 * Needs of Kubernetes' own kinds beyond those of authors: the core group, namespaces, subresources, other lifecycles.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { invalid, StatusError } from '@tributary/apimachinery';
import { ABSENT } from '@tributary/storage';
import Type from 'typebox';
import { defineApi, defineResource, version } from '../src/definition/index.ts';
import { allow, fieldError, forbid, root } from '../src/index.ts';
import { startTestServer, type TestServer } from '../src/testing/index.ts';

const Namespace = defineResource({
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
  names: 'dns-label',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  subresources: {
    status: true,
    parts: {
      finalize: {
        verbs: ['update'],
        prepareForUpdate: (next, live) => {
          if (live.status) next.status = live.status;
        },
      },
    },
  },
  lifecycle: {
    blocksDeletion: ({ spec }) => (spec.finalizers ?? []).length > 0,
    markDeleted: (namespace) => {
      namespace.status = { phase: 'Terminating' };
    },
  },
  admit: {
    delete: ({ name }) =>
      name === 'default' ? forbid('this namespace may not be deleted') : allow,
  },
  versions: {
    v1: version({
      spec: Type.Object({ finalizers: Type.Optional(Type.Array(Type.String())) }),
      status: Type.Object({ phase: Type.Optional(Type.String()) }),
      applyDefaults: (namespace) => {
        namespace.spec ??= {};
      },
      prepareForCreate: (namespace) => {
        namespace.spec.finalizers = ['kubernetes'];
        namespace.status = { phase: 'Active' };
      },
      prepareForUpdate: (next, live) => {
        next.spec = live.spec;
      },
    }),
  },
});

const numberKey = (number: number) => `/registry/numbers/${number}`;
let nextNumber = 1;

const Box = defineResource({
  kind: 'Box',
  plural: 'boxes',
  scope: 'Namespaced',
  allowUnconditionalUpdate: true,
  lifecycle: {
    ttlSeconds: 60,
    atomicWrites: {
      writes: ({ next, live }) => ({
        require: next && !live ? [{ key: numberKey(next.spec.number ?? 0), revision: ABSENT }] : [],
        writes: [
          ...(next && !live
            ? [{ kind: 'put' as const, key: numberKey(next.spec.number ?? 0), value: Buffer.of(1) }]
            : []),
          ...(live && !next
            ? [{ kind: 'delete' as const, key: numberKey(live.spec.number ?? 0) }]
            : []),
        ],
      }),
      onConflict: (_key, { next }) => {
        if (next?.spec.wanted === undefined) return;
        const path = root('spec').child('wanted');
        throw invalid({ group: '', kind: 'Box' }, next.metadata.name ?? '', [
          fieldError.invalid(path, next.spec.wanted, 'somebody has it'),
        ]);
      },
    },
  },
  versions: {
    v1: version({
      spec: Type.Object({
        number: Type.Optional(Type.Integer()),
        wanted: Type.Optional(Type.Integer()),
        color: Type.Optional(Type.String()),
      }),
      prepareForCreate: ({ spec }) => {
        spec.number = spec.wanted ?? nextNumber++;
      },
      selectableFields: [{ path: 'paint', value: ({ spec }) => `paint-${spec.color ?? 'none'}` }],
    }),
  },
});

/** The same objects, where the colour is a field of its own. */
const ColoredBox = defineResource({
  kind: 'Box',
  plural: 'boxes',
  scope: 'Namespaced',
  allowUnconditionalUpdate: true,
  storedAs: {
    group: '',
    resource: Box,
    conversion: {
      toStorage: (object) => {
        const { color, spec, ...rest } = object as unknown as { color?: string; spec?: object };
        return { ...rest, spec: { ...spec, ...(color && { color }) } };
      },
      fromStorage: (object) => {
        const { spec, ...rest } = object as unknown as { spec: { color?: string } };
        const { color, ...others } = spec;
        return { ...rest, spec: others, ...(color && { color }) };
      },
    },
  },
  versions: {
    v1: version({
      spec: Type.Object({ number: Type.Optional(Type.Integer()) }),
      fields: { color: Type.String() },
      selectableFields: ['color'],
    }),
  },
});

const core = defineApi({ group: '', builtIn: true, resources: [Namespace, Box] });
const colors = defineApi({ group: 'colors.example.com', resources: [ColoredBox] });

let server: TestServer;
before(async () => {
  server = await startTestServer([core, colors], { namespaces: Namespace });
});
after(() => server.close());
beforeEach(async () => {
  await server.reset();
  nextNumber = 1;
  await server.client(Namespace).create({ metadata: { name: 'default' }, spec: {} });
});

async function refusal(promise: Promise<unknown>): Promise<StatusError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  assert.fail('it was not refused');
}

describe('the core group', () => {
  test('lies under /api, beside the others under /apis', async () => {
    const versions = await server.request<{ versions: string[] }>('GET', '/api');
    assert.deepEqual(versions.object.versions, ['v1']);
    const groups = await server.request<{ groups: { name: string }[] }>('GET', '/apis');
    assert.deepEqual(
      groups.object.groups.map(({ name }) => name),
      ['colors.example.com'],
    );
    const box = await server.client(Box).create({ metadata: { name: 'a' }, spec: {} });
    assert.equal(box.apiVersion, 'v1');
    const wrongPlaces = [
      '/apis//v1/namespaces',
      '/api/v1/boxes/a',
      '/api/colors.example.com/v1/boxes',
    ];
    for (const path of wrongPlaces)
      assert.equal((await server.request('GET', path)).status, 404, path);
  });

  test('a Namespace is found by its name alone', async () => {
    assert.equal((await server.request('GET', '/api/v1/namespaces/default')).status, 200);
    assert.equal(
      (await server.request('GET', '/api/v1/namespaces/default/namespaces')).status,
      404,
    );
  });
});

describe('namespaces', () => {
  test('nothing is created in a missing one', async () => {
    const error = await refusal(
      server
        .client(Box)
        .inNamespace('nowhere')
        .create({ metadata: { name: 'a' }, spec: {} }),
    );
    assert.equal(error.code, 404);
    assert.equal(error.message, 'namespaces "nowhere" not found');
  });

  test('nothing is created in one that is going, and it goes when nothing holds it', async () => {
    const namespaces = server.client(Namespace);
    await namespaces.create({ metadata: { name: 'going' }, spec: {} });
    const boxes = server.client(Box).inNamespace('going');
    await boxes.create({ metadata: { name: 'a' }, spec: {} });
    const deleted = (await namespaces.delete('going')) as { status: { phase: string } };
    assert.equal(deleted.status.phase, 'Terminating');
    const error = await refusal(boxes.create({ metadata: { name: 'b' }, spec: {} }));
    assert.equal(error.code, 403);
    assert.equal(
      error.message,
      'boxes "b" is forbidden: unable to create new content in namespace going because it is being terminated',
    );
    assert.deepEqual(error.status.details?.causes, [
      {
        reason: 'NamespaceTerminating',
        message: 'namespace going is being terminated',
        field: 'metadata.namespace',
      },
    ]);
    await boxes.patch('a', { metadata: { labels: { still: 'writable' } } });
    const last = await namespaces.get('going');
    await namespaces.update({ ...last, spec: {} }, { subresource: 'finalize' });
    assert.equal((await refusal(namespaces.get('going'))).code, 404);
  });

  test('one that is deleted while something is created in it takes it or not, and never afterwards', async () => {
    const namespaces = server.client(Namespace);
    for (let round = 0; round < 20; round += 1) {
      const name = `race-${round}`;
      await namespaces.create({ metadata: { name }, spec: {} });
      const boxes = server.client(Box).inNamespace(name);
      const creating = boxes.create({ metadata: { name: 'a' }, spec: {} }).then(
        (box) => box.metadata.resourceVersion,
        (error: unknown) => error,
      );
      await namespaces.delete(name);
      const { resourceVersion = '' } = (await namespaces.get(name)).metadata;
      const created = await creating;
      if (created instanceof Error) continue;
      assert.ok(Number(created) < Number(resourceVersion), name);
    }
  });

  test('a protected one is not deleted', async () => {
    const error = await refusal(server.client(Namespace).delete('default'));
    assert.equal(
      error.message,
      'namespaces "default" is forbidden: this namespace may not be deleted',
    );
  });

  test('a part takes nothing of what is sent but itself', async () => {
    const namespaces = server.client(Namespace);
    const live = await namespaces.get('default');
    const next = {
      ...live,
      spec: { finalizers: ['kubernetes', 'mine'] },
      status: { phase: 'Bad' },
    };
    const after = await namespaces.update(next, { subresource: 'finalize' });
    assert.deepEqual(after.spec.finalizers, ['kubernetes', 'mine']);
    assert.equal(after.status?.phase, 'Active');
    const whole = await namespaces.update({ ...after, spec: {} });
    assert.deepEqual(whole.spec.finalizers, ['kubernetes', 'mine']);
    const patched = await server.request('PATCH', '/api/v1/namespaces/default/finalize', {
      body: {},
      contentType: 'application/merge-patch+json',
    });
    assert.equal(patched.status, 405);
  });
});

describe('what is written along with an object', () => {
  test('comes and goes with it', async () => {
    const boxes = server.client(Box);
    await boxes.create({ metadata: { name: 'a' }, spec: {} });
    assert.ok(await server.storage.get(numberKey(1)));
    await boxes.delete('a');
    assert.equal(await server.storage.get(numberKey(1)), undefined);
  });

  test('is had by one only: another is tried, or the client is told', async () => {
    const boxes = server.client(Box);
    await boxes.create({ metadata: { name: 'a' }, spec: { wanted: 1 } });
    const other = await boxes.create({ metadata: { name: 'b' }, spec: {} });
    assert.equal(other.spec.number, 2);
    const error = await refusal(boxes.create({ metadata: { name: 'c' }, spec: { wanted: 2 } }));
    assert.equal(error.code, 422);
    assert.match(error.message, /spec\.wanted: Invalid value: 2: somebody has it/);
  });
});

test('objects go by themselves when their time is over', async () => {
  const boxes = server.client(Box);
  await boxes.create({ metadata: { name: 'a' }, spec: {} });
  const watch = await boxes.watch();
  assert.equal((await watch.event()).type, 'ADDED');
  await server.clock.advance(61_000);
  assert.equal((await watch.event()).type, 'DELETED');
  watch.close();
});

test('one resource shows the objects of another', async () => {
  const boxes = server.client(Box);
  const colored = server.client(ColoredBox);
  await boxes.create({ metadata: { name: 'a' }, spec: { color: 'red' } });
  await colored.create({ metadata: { name: 'b' }, spec: {}, color: 'blue' });
  assert.equal((await colored.get('a')).color, 'red');
  assert.equal((await boxes.get('b')).spec.color, 'blue');
  assert.equal((await colored.get('b')).apiVersion, 'colors.example.com/v1');
  const names = async (list: Promise<{ items: { metadata: { name?: string } }[] }>) =>
    (await list).items.map(({ metadata }) => metadata.name);
  assert.deepEqual(await names(colored.list({ fieldSelector: 'color=blue' })), ['b']);
  assert.deepEqual(await names(boxes.list({ fieldSelector: 'paint=paint-red' })), ['a']);
  const missing = await refusal(colored.get('c'));
  assert.equal(missing.message, 'boxes.colors.example.com "c" not found');
});
