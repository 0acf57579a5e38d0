import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@tributary/apimachinery';
import { openMemoryStorage } from '@tributary/storage';
import type { CachedObject } from '../watch-cache/types.ts';
import { openWatchCaches } from '../watch-cache/watch-caches.ts';
import { storedForm } from './stored-form.ts';
import { type VersionConversion, VersionConverter } from './version-converter.ts';

const { signal } = new AbortController();
const forms = new Map(['g.io/v1', 'g.io/v2'].map((name) => [name, storedForm(name, 'Thing')]));

/** Objects of both versions in a cache, and a converter to the second one. */
async function fixture(count: number, change: VersionConversion, derivedBytesMax?: number) {
  const storage = openMemoryStorage();
  const prefix = '/registry/g.io/things/';
  const [first, second] = [...forms.values()];
  for (let at = 0; at < count; at += 1) {
    const form = at % 2 === 0 ? first : second;
    const name = `thing-${String(at).padStart(4, '0')}`;
    const value = form?.encode({ apiVersion: '', kind: '', metadata: { name } } as KubeObject);
    const key = `${prefix}${name}`;
    await storage.commit({
      require: [],
      writes: [{ kind: 'put', key, value: value ?? Buffer.of() }],
    });
  }
  const limits = derivedBytesMax === undefined ? {} : { derivedBytesMax };
  const caches = openWatchCaches(storage, { limits });
  const cache = caches.cache({
    prefix,
    head: first?.head ?? Buffer.of(),
    otherHeads: [second?.head ?? Buffer.of()],
  });
  const { items } = await cache.list({ path: '', freshness: { kind: 'latest' }, signal });
  const converter = new VersionConverter({
    served: 'g.io/v2',
    stored: 'g.io/v1',
    forms,
    conversionBetween: () => change,
  });
  return {
    items,
    converter,
    [Symbol.asyncDispose]: async () => {
      await caches.close();
      await storage.close();
    },
  };
}

function toSecond(object: KubeObject): KubeObject {
  return { ...object, apiVersion: 'g.io/v2', spec: { made: true } } as KubeObject;
}

const revisionsOf = (items: readonly Pick<CachedObject, 'object'>[]) =>
  items.map((item) => item.object().metadata.resourceVersion);

test('objects of the served version are returned unchanged, others are converted once', async () => {
  let made = 0;
  const convert = (object: KubeObject) => {
    made += 1;
    assert.equal(object.metadata.resourceVersion, undefined);
    return toSecond(object);
  };
  await using given = await fixture(6, { kind: 'local', convert });
  const { items, converter } = given;
  const shown = await converter.fromStorage(items, { signal });
  assert.equal(shown[1], items[1]);
  assert.deepEqual(revisionsOf(shown), revisionsOf(items));
  const text = Buffer.from(shown[0]?.bytes ?? []).toString();
  assert.equal(
    text,
    '{"kind":"Thing","apiVersion":"g.io/v2","metadata":{"resourceVersion":"2","name":"thing-0000"},"spec":{"made":true}}',
  );
  const again = await converter.fromStorage(items, { signal });
  assert.equal(again[0], shown[0]);
  assert.equal(made, 3);
});

test('representations of a converted object are cached with it', async () => {
  await using given = await fixture(1, { kind: 'local', convert: toSecond });
  const { items, converter } = given;
  let made = 0;
  const representation = {
    make: () => {
      made += 1;
      return { made };
    },
    bytes: () => 10,
  };
  const [first] = await converter.fromStorage(items, { signal });
  const [second] = await converter.fromStorage(items, { signal });
  assert.equal(first?.derived(representation), second?.derived(representation));
  assert.equal(made, 1);
});

test('a response keeps its converted objects when the cache has no room', async () => {
  const convert = async (objects: readonly KubeObject[]) => objects.map(toSecond);
  await using given = await fixture(400, { kind: 'remote', convert }, 1000);
  const { items, converter } = given;
  const shown = await converter.fromStorage(items, { signal });
  assert.ok(shown.every((one) => one.object().apiVersion === 'g.io/v2'));
  assert.deepEqual(revisionsOf(shown), revisionsOf(items));
});

test('concurrent requests share one remote conversion', async () => {
  const calls: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const convert = async (objects: readonly KubeObject[]) => {
    calls.push(objects.length);
    await promise;
    return objects.map(toSecond);
  };
  await using given = await fixture(8, { kind: 'remote', convert });
  const { items, converter } = given;
  const leaving = new AbortController();
  const first = converter.fromStorage(items.slice(0, 4), { signal: leaving.signal });
  const second = converter.fromStorage(items, { signal });
  leaving.abort(new Error('gone'));
  await assert.rejects(async () => first, /gone/);
  resolve();
  assert.equal((await second).length, 8);
  assert.deepEqual(calls, [2, 2]);
});

test('a failed conversion is retried', async () => {
  let fails = true;
  const convert = async (objects: readonly KubeObject[]) => {
    if (fails) throw new Error('not today');
    return objects.map(toSecond);
  };
  await using given = await fixture(2, { kind: 'remote', convert });
  const { items, converter } = given;
  await assert.rejects(async () => converter.fromStorage(items, { signal }), /not today/);
  fails = false;
  assert.equal((await converter.fromStorage(items, { signal })).length, 2);
});

test('remote conversions have bounds for one call and for concurrent calls', async () => {
  const calls: number[] = [];
  let under = 0;
  let most = 0;
  const convert = async (objects: readonly KubeObject[]) => {
    calls.push(objects.length);
    under += 1;
    most = Math.max(most, under);
    await new Promise(setImmediate);
    under -= 1;
    return objects.map(toSecond);
  };
  await using given = await fixture(6200, { kind: 'remote', convert });
  const { items, converter } = given;
  const shown = await converter.fromStorage(items, { signal });
  assert.ok(shown.every((one) => one.object().apiVersion === 'g.io/v2'));
  assert.deepEqual(calls, [500, 500, 500, 500, 500, 500, 100]);
  assert.equal(most, 4);
});
