import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { turns } from '../../../../test/harness/turns.ts';
import {
  aesgcm,
  encrypted,
  identity,
  key1,
  key2,
  keyOf,
  put,
  putBytes,
  SECRETS,
  secretsWith,
  textOf,
} from '../../test/encryption-fixture.ts';
import { StorageUnreadable } from '../contract/errors.ts';
import type { Revision } from '../contract/revision.ts';
import { ABSENT } from '../contract/revision.ts';
import type { FeedBatch, Storage } from '../contract/storage.ts';
import { openMemoryStorage } from '../memory/memory-storage.ts';
import { type EncryptionConfig, parseEncryptionConfig } from './config.ts';
import { type EncryptedStorage, encryptedStorage } from './encrypted-storage.ts';
import { registryKeyPrefixOf } from './encryption-rules.ts';

const A = `${SECRETS}default/a`;
const B = `${SECRETS}default/b`;
const OTHER = '/registry/core/configmaps/default/a';

describe('chosen resources', () => {
  test('are sealed in the engine and read as they were written', async () => {
    const engine = openMemoryStorage();
    const storage = encrypted(engine, aesgcm(key1));
    await put(storage, A, 'a secret value');
    await put(storage, OTHER, 'a plain value');
    assert.match((await textOf(engine, A)) ?? '', /^k8s:enc:aesgcm:v1:key1:/);
    assert.ok(!(await textOf(engine, A))?.includes('secret'));
    assert.equal(await textOf(engine, OTHER), 'a plain value');
    assert.equal(await textOf(storage, A), 'a secret value');
    assert.equal(await textOf(storage, OTHER), 'a plain value');
  });

  test('never have the same bytes twice', async () => {
    const engine = openMemoryStorage();
    const storage = encrypted(engine, aesgcm(key1));
    const seen = new Set<string | undefined>();
    for (let at = 0; at < 1000; at += 1) {
      await put(storage, A, 'same');
      seen.add((await textOf(engine, A))?.slice(0, 'k8s:enc:aesgcm:v1:key1:'.length + 12));
    }
    assert.equal(seen.size, 1000);
  });

  const secret = Buffer.alloc(32, 'x').toString('base64');
  const provider = (name: string) => ({ aesgcm: { keys: [{ name, secret }] } });
  const config = parseEncryptionConfig({
    kind: 'EncryptionConfiguration',
    apiVersion: 'apiserver.config.k8s.io/v1',
    resources: [
      { resources: ['events'], providers: [{ identity: {} }] },
      { resources: ['secrets', 'flunders.wardle.example.com'], providers: [provider('listed')] },
      { resources: ['secrets'], providers: [provider('too-late'), { identity: {} }] },
      { resources: ['*.apps'], providers: [provider('apps')] },
      { resources: ['*.*'], providers: [provider('rest')] },
    ],
  });
  const cases = [
    { key: '/registry/core/events/a', form: 'identity' },
    { key: '/registry/core/secrets/a', form: 'aesgcm:listed' },
    { key: '/registry/wardle.example.com/flunders/ns/a', form: 'aesgcm:listed' },
    { key: '/registry/wardle.example.com/flunders2/a', form: 'aesgcm:rest' },
    { key: '/registry/wardle.example.com/fischers/a', form: 'aesgcm:rest' },
    { key: '/registry/apps/deployments/ns/a', form: 'aesgcm:apps' },
    { key: '/registry/apps2/deployments/ns/a', form: 'aesgcm:rest' },
    { key: '/registry/core/pods/ns/a', form: 'aesgcm:rest' },
    { key: '/tributary/lease', form: 'identity' },
  ];
  for (const { key, form } of cases) {
    test(`the most specific rule decides: ${key} is ${form}`, async () => {
      const storage = encryptedStorage(openMemoryStorage(), config, {
        keyPrefixOf: registryKeyPrefixOf,
      });
      await put(storage, key, 'value');
      const [item] = (await storage.inspect(key)).items;
      assert.ok(item?.kind === 'readable');
      assert.equal(item.form, form);
      assert.equal(item.stored.stale, undefined);
    });
  }

  test('named by several entries are read by the providers of all of them', async () => {
    const engine = openMemoryStorage();
    await put(engine, A, 'plain');
    const storage = encryptedStorage(engine, config, { keyPrefixOf: registryKeyPrefixOf });
    assert.equal((await storage.get(A))?.stale, true);
  });

  test('have one place each', () => {
    const open = (keyPrefixOf: () => string) => () =>
      encryptedStorage(openMemoryStorage(), config, { keyPrefixOf });
    assert.throws(
      open(() => '/registry'),
      /key prefix of events does not end with a slash/,
    );
    assert.throws(
      open(() => '/registry/'),
      /events and secrets have one key prefix/,
    );
  });

  test('have no two keys of one name', () => {
    const entry = secretsWith(aesgcm(key1)).resources;
    const config = { resources: [...entry, ...secretsWith(aesgcm(keyOf('key1', 9))).resources] };
    const open = (config: EncryptionConfig) =>
      encryptedStorage(openMemoryStorage(), config, { keyPrefixOf: registryKeyPrefixOf });
    assert.throws(() => open(config), /two encryption keys of one resource are called key1/);
    open({ resources: [...entry, ...entry] });
  });
});

describe('stale', () => {
  const plain = (storage: Storage) => put(storage, A, 'v');
  const sealedWith =
    (...providers: Parameters<typeof secretsWith>) =>
    (engine: Storage) =>
      put(encrypted(engine, ...providers), A, 'v');
  const cases = [
    {
      name: 'by the first key',
      write: sealedWith(aesgcm(key1)),
      read: [aesgcm(key1, key2)],
      stale: undefined,
    },
    {
      name: 'by the second key',
      write: sealedWith(aesgcm(key1)),
      read: [aesgcm(key2, key1)],
      stale: true,
    },
    {
      name: 'by the second provider',
      write: sealedWith(aesgcm(key1)),
      read: [aesgcm(key2), aesgcm(key1)],
      stale: true,
    },
    { name: 'plain, encrypted now', write: plain, read: [aesgcm(key1), identity], stale: true },
    {
      name: 'encrypted, plain now',
      write: sealedWith(aesgcm(key1)),
      read: [identity, aesgcm(key1)],
      stale: true,
    },
    { name: 'plain, plain now', write: plain, read: [identity, aesgcm(key1)], stale: undefined },
  ];
  for (const { name, write, read, stale } of cases) {
    test(`is ${stale ?? false} for a value written ${name}`, async () => {
      const engine = openMemoryStorage();
      const revision = await write(engine);
      const storage = encrypted(engine, ...read);
      assert.equal((await storage.get(A))?.stale, stale);
      assert.equal((await storage.list(SECRETS)).items[0]?.stale, stale);
      const conflict = await storage.commit({
        require: [{ key: A, revision: ABSENT }],
        writes: [{ kind: 'delete', key: A }],
      });
      assert.ok(conflict.outcome === 'conflict');
      assert.equal(conflict.current?.stale, stale);
      assert.equal(Buffer.from(conflict.current?.value ?? []).toString(), 'v');
      const gone = await storage.commit({ require: [], writes: [{ kind: 'delete', key: A }] });
      assert.equal(gone.outcome, 'written');
      const [event] = await eventsOf(storage, revision);
      assert.ok(event?.kind === 'delete');
      assert.equal(event.previous.stale, stale);
    });
  }
});

/** Values that an engine may contain and that must not be returned, with the reported error. */
const unreadable: readonly {
  name: string;
  /** Makes the value of A unreadable; B stays readable. */
  spoil: (engine: Storage) => Promise<unknown>;
  keyName: string | undefined;
  message: RegExp;
}[] = [
  {
    name: 'a key that is not configured',
    spoil: (engine) => put(encrypted(engine, aesgcm(key2)), A, 'MARKER'),
    keyName: 'key2',
    message: /encrypted with the key "key2", which is not configured$/,
  },
  {
    name: 'a key of the same name with another secret',
    spoil: (engine) => put(encrypted(engine, aesgcm(keyOf('key1', 7))), A, 'MARKER'),
    keyName: 'key1',
    message: /does not open with the key "key1"/,
  },
  {
    name: 'plain text where identity is not allowed',
    spoil: (engine) => put(engine, A, 'MARKER'),
    keyName: undefined,
    message: /not encrypted, and identity is not among the providers$/,
  },
  {
    name: 'a value moved from another key',
    spoil: async (engine) => {
      await put(encrypted(engine, aesgcm(key1)), B, 'MARKER');
      await putBytes(engine, A, (await engine.get(B))?.value ?? Buffer.of());
    },
    keyName: 'key1',
    message: /damaged, it was moved here from another place/,
  },
  {
    name: 'a flipped bit',
    spoil: async (engine) => {
      await put(encrypted(engine, aesgcm(key1)), A, 'MARKER');
      const damaged = Uint8Array.from((await engine.get(A))?.value ?? []);
      damaged[40] = (damaged[40] ?? 0) ^ 1;
      await putBytes(engine, A, damaged);
    },
    keyName: 'key1',
    message: /does not open with the key "key1"/,
  },
  {
    name: 'a value cut off in its head',
    spoil: (engine) => put(engine, A, 'k8s:enc:aesgcm:v1:MARK'),
    keyName: undefined,
    message: /its beginning is damaged$/,
  },
  {
    name: 'another provider',
    spoil: (engine) => put(engine, A, 'k8s:enc:aescbc:v1:key1:MARKER'),
    keyName: undefined,
    message: /encrypted by a provider that is not supported, aescbc:v1$/,
  },
];

describe('a value that cannot be opened', () => {
  for (const { name, spoil, keyName, message } of unreadable) {
    test(`is an error of every read: ${name}`, async () => {
      const engine = openMemoryStorage();
      const start = await engine.currentRevision();
      await spoil(engine);
      const storage = encrypted(engine, aesgcm(key1));
      await put(storage, B, 'fine');
      const revision = (await engine.get(A))?.revision;
      const isExpectedError = (error: unknown) => {
        assert.ok(error instanceof StorageUnreadable);
        assert.equal(error.key, A);
        assert.equal(error.keyName, keyName);
        assert.equal(error.revision, revision);
        assert.match(error.message, message);
        assert.ok(error.message.includes(A) && !error.message.includes('MARKER'));
        return true;
      };
      await assert.rejects(storage.get(A), isExpectedError);
      const listed = [await storage.list(SECRETS), await storage.list('')];
      for (const { items } of listed) {
        const item = items.find(({ key }) => key === A);
        assert.ok(isExpectedError(item?.unreadable), 'it is not left out');
        assert.throws(() => item?.value, isExpectedError);
      }
      const writes = [{ kind: 'put' as const, key: A, value: Buffer.of() }];
      const lost = await storage.commit({ require: [{ key: A, revision: ABSENT }], writes });
      assert.ok(lost.outcome === 'conflict' && isExpectedError(lost.current?.unreadable));
      const { events } = await firstBatch(storage, start);
      const event = events.find((one) => one.kind === 'put' && one.unreadable);
      assert.ok(event?.kind === 'put' && isExpectedError(event.unreadable));
      assert.throws(() => event.value, isExpectedError);
      assert.equal(await textOf(storage, B), 'fine');
      assert.equal((await storage.list(B)).items.length, 1);
      const { items } = await storage.inspect(SECRETS);
      assert.deepEqual(
        items.map(({ kind }) => kind),
        ['unreadable', 'readable'],
      );
    });
  }

  test('may be deleted and replaced without being read', async () => {
    const engine = openMemoryStorage();
    await put(engine, A, 'plain');
    await put(engine, B, 'plain');
    const storage = encrypted(engine, aesgcm(key1));
    const deleted = await storage.commit({ require: [], writes: [{ kind: 'delete', key: A }] });
    assert.equal(deleted.outcome, 'written');
    await put(storage, B, 'new');
    assert.equal((await storage.list('')).items.length, 1);
  });

  test('is none of the values that no rule applies to, unless it looks encrypted', async () => {
    const engine = openMemoryStorage();
    await put(encrypted(engine, aesgcm(key1)), A, 'v');
    const nothing = secretsWith(identity);
    const storage = encryptedStorage(
      engine,
      { resources: nothing.resources.map((entry) => ({ ...entry, resources: [] })) },
      { keyPrefixOf: registryKeyPrefixOf },
    );
    await assert.rejects(storage.get(A), StorageUnreadable);
    const reserved = put(storage, OTHER, 'k8s:enc:whatever');
    await assert.rejects(reserved, /begins with k8s:enc:, as only encrypted may/);
    await assert.rejects(reserved, TypeError);
    assert.equal(await storage.get(OTHER), undefined);
  });
});

describe('a feed', () => {
  test('contains unreadable values in their place, and continues', async () => {
    const engine = openMemoryStorage();
    const storage = encrypted(engine, aesgcm(key1));
    const start = await engine.currentRevision();
    await put(storage, A, '1');
    await put(engine, B, 'unreadable');
    const last = await put(storage, B, 'replaced');
    await put(storage, A, '2');
    const { events } = await firstBatch(storage, start);
    const summary = events.map((event) => [
      event.key,
      event.kind === 'put' && event.unreadable === undefined,
      event.previous?.unreadable === undefined,
    ]);
    assert.deepEqual(summary, [
      [A, true, true],
      [B, false, true],
      [B, true, false],
      [A, true, true],
    ]);
    assert.equal(events[2]?.revision, last);
  });
});

async function firstBatch(storage: EncryptedStorage, after: Revision): Promise<FeedBatch> {
  const { signal } = new AbortController();
  for await (const batch of storage.feed(after, { signal })) return batch;
  assert.fail('the feed ended');
}

describe('reloadEncryption', () => {
  test('changes keys while everything stays readable', async () => {
    const engine = openMemoryStorage();
    const start = await engine.currentRevision();
    await put(engine, `${SECRETS}0`, 'v');
    const storage = encrypted(engine, identity);
    const steps = [
      [aesgcm(key1), identity],
      [aesgcm(key1, key2), identity],
      [aesgcm(key2, key1), identity],
    ];
    for (const [at, providers] of steps.entries()) {
      await storage.reloadEncryption(secretsWith(...providers));
      await put(storage, `${SECRETS}${at + 1}`, 'v');
      const { items } = await storage.list(SECRETS);
      assert.deepEqual(
        items.map(({ value }) => Buffer.from(value).toString()),
        items.map(() => 'v'),
      );
      assert.equal((await eventsOf(storage, start)).length, at + 2);
    }
    const forms = (await storage.inspect(SECRETS)).items.map(
      (item) => item.kind === 'readable' && `${item.form}${item.stored.stale ? ' stale' : ''}`,
    );
    assert.deepEqual(forms, [
      'identity stale',
      'aesgcm:key1 stale',
      'aesgcm:key1 stale',
      'aesgcm:key2',
    ]);
  });

  test('holds for a list and a feed that began before', async () => {
    const engine = openMemoryStorage();
    const storage = encrypted(engine, aesgcm(key1));
    const start = await engine.currentRevision();
    const stop = new AbortController();
    const feed = storage.feed(start, stop)[Symbol.asyncIterator]();
    await feed.next();
    const next = feed.next();
    await storage.reloadEncryption(secretsWith(aesgcm(key2, key1)));
    await put(storage, A, 'v');
    const { value } = await next;
    assert.equal((value as FeedBatch).events.length, 1);
    stop.abort();
  });

  test('resolves when no commit under the old configuration is under way', async () => {
    const engine = openMemoryStorage();
    const gate = Promise.withResolvers<void>();
    const slow: Storage = Object.assign(Object.create(engine) as Storage, {
      get: engine.get.bind(engine),
      commit: async (change: Parameters<Storage['commit']>[0]) => {
        await gate.promise;
        return engine.commit(change);
      },
    });
    const storage = encrypted(slow, aesgcm(key1));
    const writing = put(storage, A, 'v');
    let settled = false;
    const reloading = storage.reloadEncryption(secretsWith(aesgcm(key2, key1))).then(() => {
      settled = true;
    });
    await turns();
    assert.equal(settled, false);
    gate.resolve();
    await Promise.all([writing, reloading]);
    assert.equal((await storage.get(A))?.stale, true);
  });

  test('changes nothing when the configuration does not fit', async () => {
    const storage = encrypted(openMemoryStorage(), aesgcm(key1));
    await put(storage, A, 'v');
    const two = secretsWith(aesgcm(key2, keyOf('key2', 9)));
    await assert.rejects(storage.reloadEncryption(two), TypeError);
    assert.equal((await storage.get(A))?.stale, undefined);
  });
});

describe('the use of keys', () => {
  test('is counted by secret, over reloads and names', async () => {
    const storage = encrypted(openMemoryStorage(), aesgcm(key1));
    await put(storage, A, '1');
    await put(storage, A, '2');
    await put(storage, OTHER, 'plain');
    await storage.reloadEncryption(secretsWith(aesgcm(key2, key1)));
    await put(storage, A, '3');
    await storage.reloadEncryption(secretsWith(aesgcm({ ...key1, name: 'again' })));
    await put(storage, A, '4');
    assert.deepEqual(storage.keyUsage(), [
      { keyName: 'key1', writes: 3 },
      { keyName: 'key2', writes: 1 },
    ]);
  });

  test('warns before it is too much, and at every doubling', async () => {
    const warnings: string[] = [];
    const storage = encryptedStorage(openMemoryStorage(), secretsWith(aesgcm(key1)), {
      keyPrefixOf: registryKeyPrefixOf,
      keyWornWrites: 3,
      onKeyWorn: ({ keyName, writes }) => warnings.push(`${keyName} ${writes}`),
    });
    for (let at = 0; at < 13; at += 1) await put(storage, A, 'v');
    assert.deepEqual(warnings, ['key1 3', 'key1 6', 'key1 12']);
  });
});

test('stats count decrypted bytes', async () => {
  const config: EncryptionConfig = {
    resources: [
      { resources: [{ group: '', resource: 'events' }], providers: [identity] },
      { resources: [{ group: '', resource: '*' }], providers: [aesgcm(keyOf('long name', 3))] },
      { resources: [{ group: '*', resource: '*' }], providers: [aesgcm(key1)] },
    ],
  };
  const engine = openMemoryStorage();
  const storage = encryptedStorage(engine, config, { keyPrefixOf: registryKeyPrefixOf });
  const keys = [
    A,
    B,
    OTHER,
    '/registry/core/events/a',
    '/registry/apps/x/a',
    '/registry/a/b/c',
    '/x',
  ];
  for (const key of keys) await put(storage, key, '12345');
  assert.equal((await storage.stats()).valueBytes, keys.length * 5);
  assert.ok((await engine.stats()).valueBytes > keys.length * 5);
});

/** All events after a revision until now. */
async function eventsOf(storage: Storage, after: Revision): Promise<FeedBatch['events'][number][]> {
  const stop = new AbortController();
  const now = await storage.currentRevision();
  const events = [];
  for await (const batch of storage.feed(after, stop)) {
    events.push(...batch.events);
    if (batch.progress >= now) break;
  }
  return events;
}
