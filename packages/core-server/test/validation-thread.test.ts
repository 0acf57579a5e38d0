/** Writes validated in the thread are validated against the stored object, despite concurrent writes. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type KubeObject, type StatusError, stringifyJson } from '@tributary/apimachinery';
import type { ResourceType } from '@tributary/client';
import { eventually as eventuallySeen } from '../../../test/harness/index.ts';
import { begunThreads } from '../../server/test/begun-threads.ts';
import { eventually, startTestCore, type TestCore } from './core-fixture.ts';

const GROUP = 'elsewhere.example.com';
const counters: ResourceType = {
  group: GROUP,
  version: 'v1',
  plural: 'counters',
  namespaced: true,
};

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `counters.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'counters', kind: 'Counter' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['n'],
                properties: {
                  n: {
                    type: 'integer',
                    'x-kubernetes-validations': [{ rule: 'self > oldSelf' }],
                  },
                  items: {
                    type: 'array',
                    maxItems: 800,
                    items: { type: 'string', maxLength: 20 },
                    'x-kubernetes-validations': [
                      { rule: 'self.all(x, self.all(y, x != y || true))' },
                    ],
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

const counter = (name: string, spec: object): KubeObject =>
  ({ apiVersion: `${GROUP}/v1`, kind: 'Counter', metadata: { name }, spec }) as KubeObject;

async function started(limits: { readonly jobs?: number } = {}): Promise<TestCore> {
  const core = await startTestCore({ server: { validationThread: { loop: { ms: 0 }, limits } } });
  try {
    await define(core);
    return core;
  } catch (error) {
    await core[Symbol.asyncDispose]();
    throw error;
  }
}

async function define(core: TestCore): Promise<void> {
  const definitions = { ...counters, group: 'apiextensions.k8s.io', namespaced: false };
  await core.admin
    .resource({ ...definitions, plural: 'customresourcedefinitions' })
    .create(definition as never);
  await eventually(
    () =>
      core.admin
        .resource(counters)
        .list()
        .then(
          () => true,
          () => false,
        ),
    (isServed) => isServed,
    20_000,
  );
}

describe('rules evaluated in the thread', { concurrency: 1 }, () => {
  let core: TestCore;
  const own = () => core.admin.resource(counters).in('default');
  before(async () => {
    core = await started();
  });
  after(() => core[Symbol.asyncDispose]());

  test('a concurrent write causes another validation', async () => {
    await own().create(counter('race', { n: 0 }));
    const wanted = Array.from({ length: 24 }, (_, at) => ((at * 7) % 24) + 1);
    const written = await Promise.all(
      wanted.map((n) =>
        own()
          .patch('race', { kind: 'merge', body: { spec: { n } } })
          .then(
            (object) => ({ n, revision: Number(object.metadata.resourceVersion) }),
            (error: StatusError) => {
              assert.equal(error.code, 422, error.message);
              assert.match(
                error.message,
                /spec\.n: Invalid value: \d+: failed rule: self > oldSelf/,
              );
              return undefined;
            },
          ),
      ),
    );
    const succeeded = written.filter((one) => one !== undefined);
    const inOrder = succeeded.toSorted((a, b) => a.revision - b.revision).map(({ n }) => n);
    assert.deepEqual(
      inOrder,
      inOrder.toSorted((a, b) => a - b),
      'nothing was written that went back',
    );
    assert.equal(inOrder.at(-1), 24);
    assert.equal(((await own().get('race')) as unknown as { spec: { n: number } }).spec.n, 24);
  });

  test('an integer beyond 2^53 keeps its digits', async () => {
    await own().create(counter('big', { n: 9007199254740993n }));
    const body = { metadata: { labels: { a: 'b' } } };
    await assert.rejects(own().patch('big', { kind: 'merge', body }), (error: StatusError) => {
      assert.match(error.message, /Invalid value: 9007199254740993: failed rule: self > oldSelf$/);
      return error.code === 422;
    });
  });
});

test('more validations than the queue holds get 429', async () => {
  await using core = await started({ jobs: 2 });
  const own = core.admin.resource(counters).in('default');
  const items = Array.from({ length: 800 }, (_, at) => `item-${at}`);
  const codes = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      core.admin.transport
        .request('POST', `/apis/${GROUP}/v1/namespaces/default/counters`, {
          body: stringifyJson(counter(`c${at}`, { n: 1, items })),
          headers: { 'content-type': 'application/json' },
          // The client would retry a 429.
          anyStatus: true,
        })
        .then(({ status }) => status),
    ),
  );
  assert.deepEqual([...new Set(codes)].sort(), [422, 429]);
  await own.create(counter('later', { n: 1 }));
  assert.deepEqual(core.problems, []);
});

test('a server stops without waiting for validations', async (t) => {
  const threads = begunThreads(t);
  const core = await started();
  const own = core.admin.resource(counters).in('default');
  const items = Array.from({ length: 800 }, (_, at) => `item-${at}`);
  const writes = Array.from({ length: 20 }, (_, at) =>
    own.create(counter(`c${at}`, { n: 1, items })).catch((error: unknown) => error),
  );
  await eventuallySeen('a thread judges', () => threads.length > 0);
  await core[Symbol.asyncDispose]();
  assert.equal((await Promise.all(writes)).length, 20);
  assert.deepEqual(
    threads.filter(({ isEnded }) => !isEnded),
    [],
  );
});
