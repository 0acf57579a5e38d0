import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { VirtualClock } from '../../../../test/harness/clock.ts';
import { turns } from '../../../../test/harness/turns.ts';
import {
  aesgcm,
  encrypted,
  identity,
  key1,
  key2,
  put,
  SECRETS,
  secretsWith,
  textOf,
} from '../../test/encryption-fixture.ts';
import { manualClock } from '../contract/clock.ts';
import type { Storage } from '../contract/storage.ts';
import { type MemoryStorageOptions, openMemoryStorage } from '../memory/memory-storage.ts';
import type { EncryptedStorage } from './encrypted-storage.ts';
import { type RewriteProgress, rewriteStale, scanForStale } from './rewrite-stale.ts';

const OTHERS = '/registry/core/configmaps/';

/** A store with `count` plain secrets, to be encrypted with the first key. */
async function plainSecrets(
  count: number,
  options?: MemoryStorageOptions,
): Promise<[EncryptedStorage, Storage]> {
  const engine = openMemoryStorage(options);
  for (let at = 0; at < count; at += 1) await put(engine, nameOf(at), `MARKER ${at}`);
  return [encrypted(engine, aesgcm(key1), identity), engine];
}

function nameOf(at: number): string {
  return `${SECRETS}${String(at).padStart(5, '0')}`;
}

async function assertSecrets(storage: Storage, count: number): Promise<void> {
  const { items } = await storage.list(SECRETS);
  assert.deepEqual(
    items.map(({ value }) => Buffer.from(value).toString()),
    Array.from({ length: count }, (_, at) => `MARKER ${at}`),
  );
}

describe('rewriteStale', () => {
  test('leads from plain text to a key and on to the next', async () => {
    const [storage, engine] = await plainSecrets(250);
    await put(storage, `${OTHERS}a`, 'untouched');
    const before = await storage.get(`${OTHERS}a`);
    const walk = { prefixes: [''] };
    assert.deepEqual(await scanForStale(storage, walk), {
      scanned: 251,
      stale: 250,
      unreadable: 0,
      forms: new Map([['identity', 251]]),
    });
    await rewriteStale(storage, walk);
    await storage.reloadEncryption(secretsWith(aesgcm(key1)));
    await assertSecrets(storage, 250);
    assert.ok(!(await rawText(engine)).includes('MARKER'));

    await storage.reloadEncryption(secretsWith(aesgcm(key1, key2)));
    assert.equal((await scanForStale(storage, walk)).stale, 0);
    await storage.reloadEncryption(secretsWith(aesgcm(key2, key1)));
    await assertSecrets(storage, 250);
    const { revision, ...counts } = await rewriteStale(storage, walk);
    assert.deepEqual(counts, { scanned: 251, rewritten: 250, changed: 0, unreadable: 0 });
    await storage.compact(revision);
    await storage.reloadEncryption(secretsWith(aesgcm(key2)));
    await assertSecrets(storage, 250);
    assert.ok(!(await rawText(engine)).includes(':key1:'));
    assert.deepEqual((await scanForStale(storage, walk)).forms.get('aesgcm:key2'), 250);
    assert.deepEqual(await storage.get(`${OTHERS}a`), before);
  });

  test('removes the old key from what a feed after its revision needs', async () => {
    const [storage] = await plainSecrets(3);
    const { revision } = await rewriteStale(storage, { prefixes: [SECRETS] });
    await storage.reloadEncryption(secretsWith(aesgcm(key1)));
    await put(storage, nameOf(0), 'new');
    const { signal } = new AbortController();
    for await (const { events } of storage.feed(revision, { signal })) {
      assert.equal(events[0]?.key, nameOf(0));
      break;
    }
  });

  test('does nothing when nothing is stale', async () => {
    const [storage] = await plainSecrets(20);
    await rewriteStale(storage, { prefixes: [SECRETS] });
    const before = await storage.currentRevision();
    const again = await rewriteStale(storage, { prefixes: [SECRETS] });
    assert.equal(again.rewritten, 0);
    assert.equal(again.revision, before);
  });

  test('skips values that another writer changed or deleted meanwhile', async () => {
    const [storage, engine] = await plainSecrets(4);
    const racing: EncryptedStorage = Object.assign(Object.create(storage) as EncryptedStorage, {
      currentRevision: storage.currentRevision.bind(storage),
      commit: storage.commit.bind(storage),
      inspect: async (...args: Parameters<EncryptedStorage['inspect']>) => {
        const page = await storage.inspect(...args);
        await put(storage, nameOf(1), 'changed');
        await storage.commit({ require: [], writes: [{ kind: 'delete', key: nameOf(2) }] });
        return page;
      },
    });
    const result = await rewriteStale(racing, { prefixes: [SECRETS] });
    assert.equal(result.rewritten, 2);
    assert.equal(result.changed, 2);
    assert.equal(await textOf(storage, nameOf(1)), 'changed');
    assert.equal(await textOf(engine, nameOf(2)), undefined);
  });

  test('loses no write of writers beside it', async () => {
    const [storage] = await plainSecrets(200);
    const counts = new Map<string, number>();
    let done = false;
    const writer = async () => {
      while (!done) {
        const key = nameOf(Math.floor(Math.random() * 200));
        const stored = await storage.get(key);
        if (stored === undefined) assert.fail('gone');
        const value = Buffer.from(`${Buffer.from(stored.value).toString()}+`);
        const { outcome } = await storage.commit({
          require: [{ key, revision: stored.revision }],
          writes: [{ kind: 'put', key, value }],
        });
        if (outcome === 'written') counts.set(key, (counts.get(key) ?? 0) + 1);
        await new Promise(setImmediate);
      }
    };
    const writing = Promise.all([writer(), writer(), writer()]);
    await rewriteStale(storage, { prefixes: [SECRETS], pageSize: 7, perSecondMax: 2000 });
    done = true;
    await writing;
    for (const { key, value } of (await storage.list(SECRETS)).items) {
      const pluses = Buffer.from(value).toString().split('+').length - 1;
      assert.equal(pluses, counts.get(key) ?? 0, key);
    }
    assert.equal((await scanForStale(storage, { prefixes: [SECRETS] })).stale, 0);
  });

  test('reports its progress page by page, ends on a signal and continues from there', async () => {
    const [storage] = await plainSecrets(50);
    await put(storage, `${OTHERS}a`, 'x');
    const prefixes = [OTHERS, SECRETS];
    const stop = new AbortController();
    const reason = new Error('enough');
    const seen: RewriteProgress[] = [];
    const first = rewriteStale(storage, {
      prefixes,
      pageSize: 10,
      signal: stop.signal,
      onProgress: (progress) => {
        seen.push(progress);
        if (seen.length === 3) stop.abort(reason);
      },
    });
    await assert.rejects(first, (error) => error === reason);
    assert.deepEqual(
      seen.map(({ position, scanned, rewritten }) => [position, scanned, rewritten]),
      [
        [{ prefix: OTHERS, after: `${OTHERS}a` }, 1, 0],
        [{ prefix: SECRETS, after: nameOf(9) }, 11, 10],
        [{ prefix: SECRETS, after: nameOf(19) }, 21, 20],
      ],
    );
    const from = seen.at(-1)?.position;
    assert.ok(from);
    const rest = await rewriteStale(storage, { prefixes, pageSize: 10, from });
    assert.deepEqual([rest.scanned, rest.rewritten], [30, 30]);
    assert.equal((await scanForStale(storage, { prefixes })).stale, 0);
    const elsewhere = rewriteStale(storage, { prefixes: [OTHERS], from });
    await assert.rejects(elsewhere, /not one of the prefixes to walk/);
  });

  test('keeps to perSecondMax, and a signal ends its wait', async () => {
    const [storage] = await plainSecrets(40);
    const clock = new VirtualClock();
    let isDone = false;
    const paced = { prefixes: [SECRETS], perSecondMax: 10, clock };
    const rewriting = rewriteStale(storage, paced).then(() => {
      isDone = true;
    });
    // Ten at a time, a second between them.
    for (const left of [30, 20, 10]) {
      await turns();
      assert.equal((await scanForStale(storage, { prefixes: [SECRETS] })).stale, left);
      await clock.advance(999);
      await turns();
      assert.equal((await scanForStale(storage, { prefixes: [SECRETS] })).stale, left);
      assert.equal(isDone, false);
      await clock.advance(1);
    }
    await rewriting;
    assert.equal(clock.pending, 0);

    await storage.reloadEncryption(secretsWith(aesgcm(key2, key1)));
    const reason = new Error('enough');
    const stop = new AbortController();
    const slow = { prefixes: [SECRETS], perSecondMax: 0.01, signal: stop.signal, clock };
    const waiting = rewriteStale(storage, slow);
    await turns();
    assert.equal(clock.pending, 1);
    stop.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
    assert.equal(clock.pending, 0);
    assert.equal((await scanForStale(storage, { prefixes: [SECRETS] })).stale, 39);
    await assert.rejects(
      rewriteStale(storage, { prefixes: [SECRETS], perSecondMax: 0 }),
      TypeError,
    );
  });

  test('continues after a value that cannot be decrypted, and reports it', async () => {
    const [storage, engine] = await plainSecrets(5);
    await put(engine, nameOf(2), 'k8s:enc:aesgcm:v1:lost:xyz');
    await put(engine, nameOf(4), 'k8s:enc:aesgcm:v1:lost:xyz');
    const reported: string[] = [];
    const options = {
      prefixes: [SECRETS],
      pageSize: 2,
      onUnreadable: ({ key, keyName }: { key: string; keyName: string | undefined }) =>
        reported.push(`${key} ${keyName}`),
    };
    const { revision: _, ...counts } = await rewriteStale(storage, options);
    assert.deepEqual(counts, { scanned: 5, rewritten: 3, changed: 0, unreadable: 2 });
    assert.deepEqual(reported, [`${nameOf(2)} lost`, `${nameOf(4)} lost`]);
    const scan = await scanForStale(storage, options);
    assert.deepEqual([scan.stale, scan.unreadable], [0, 2]);
    assert.equal(reported.length, 4);
  });

  test('gives a key the time to live that ttlSecondsOf returns', async () => {
    const clock = manualClock();
    const [storage] = await plainSecrets(2, { clock });
    const ttlSecondsOf = (key: string) => (key === nameOf(0) ? 60 : undefined);
    await rewriteStale(storage, { prefixes: [SECRETS], ttlSecondsOf });
    clock.advance(59_999);
    assert.ok(await storage.get(nameOf(0)));
    clock.advance(1);
    assert.equal(await storage.get(nameOf(0)), undefined);
    assert.ok(await storage.get(nameOf(1)));
  });
});

async function rawText(engine: Storage): Promise<string> {
  const { items } = await engine.list('');
  return Buffer.concat(items.map(({ value }) => value)).toString('latin1');
}
