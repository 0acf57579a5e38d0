import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Revision } from '@tributary/storage';
import { readFixture, TABLE, textOf } from '../../test/representation-fixture.ts';
import type { Form } from './form.ts';
import { ListBodyCache, type ListContent } from './list-body-cache.ts';

const form = {} as Form;
const content = (path: string, contentRevision = 1): ListContent => ({
  path,
  limit: undefined,
  after: undefined,
  contentRevision: contentRevision as Revision,
});
const items = (length: number) => [Buffer.alloc(length, '1')];

test('the same list has the same body, until its resource changes', async () => {
  await using fixture = readFixture();
  await fixture.put('a');
  const first = await fixture.list();
  const second = await fixture.list();
  assert.ok(first.compressionKey !== undefined && first.compressionKey === second.compressionKey);
  await fixture.put('b');
  const changed = await fixture.list();
  assert.notEqual(changed.compressionKey, first.compressionKey);
  assert.equal(JSON.parse(textOf(changed)).items.length, 2);
});

test('a change of another resource changes the resourceVersion and shares the items', async () => {
  await using fixture = readFixture();
  await fixture.put('a');
  const before = await fixture.list();
  await fixture.putElsewhere();
  const after = await fixture.list();
  assert.deepEqual(
    [before, after].map((response) => JSON.parse(textOf(response)).metadata.resourceVersion),
    ['2', '3'],
  );
  assert.notEqual(after.compressionKey, before.compressionKey);
  assert.equal(after.chunks[1], before.chunks[1]);
});

test('pages and forms are cached separately', async () => {
  await using fixture = readFixture();
  for (const name of ['a', 'b', 'c']) await fixture.put(name);
  const names = async (query: string) => {
    const list = JSON.parse(textOf(await fixture.list(undefined, query)));
    return [
      list.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name).join(),
      list.metadata.continue,
    ];
  };
  for (let round = 0; round < 2; round += 1) {
    const [first, token] = await names('limit=2');
    assert.equal(first, 'a,b');
    assert.equal((await names(`limit=2&continue=${token}`))[0], 'c');
    assert.equal((await names(''))[0], 'a,b,c');
    assert.equal(JSON.parse(textOf(await fixture.list(TABLE))).rows.length, 3);
  }
});

const uncached = [
  { name: 'with a selector', accept: undefined, query: 'labelSelector=x' },
  { name: 'that is indented', accept: undefined, query: 'pretty=1' },
];
for (const { name, accept, query } of uncached) {
  test(`a list ${name} is not cached`, async () => {
    await using fixture = readFixture();
    await fixture.put('a');
    assert.equal((await fixture.list(accept, query)).compressionKey, undefined);
    assert.equal(fixture.listBodies.bytes, 0);
  });
}

test('a Table that contains ages is not cached', async () => {
  await using fixture = readFixture([{ name: 'City', cell: () => 'Ghent' }]);
  await fixture.put('a');
  assert.equal((await fixture.list(TABLE)).compressionKey, undefined);
  assert.equal(fixture.listBodies.bytes, 0);
});

test('beyond the bound the least recently used list body is evicted', () => {
  const cache = new ListBodyCache({ bytesMax: 5000 });
  for (const path of ['a', 'b']) cache.add(form, content(path), { start: '', items: items(1000) });
  assert.ok(cache.get(form, content('a'), ''));
  cache.add(form, content('c'), { start: '', items: items(1000) });
  assert.deepEqual(
    ['a', 'b', 'c'].map((path) => cache.get(form, content(path), '') !== undefined),
    [true, false, true],
  );
  assert.ok(cache.bytes <= 5000);
});

test('a list body beyond its own bound is not cached', () => {
  const cache = new ListBodyCache({ bodyBytesMax: 10 });
  assert.equal(cache.add(form, content('a'), { start: '', items: items(11) }), undefined);
  assert.equal(cache.bytes, 0);
});

test('a newer list body replaces an older one, and never the other way round', () => {
  const cache = new ListBodyCache();
  cache.add(form, content('a', 2), { start: '', items: items(10) });
  const { bytes } = cache;
  cache.add(form, content('a', 3), { start: '', items: items(10) });
  assert.equal(cache.bytes, bytes);
  cache.add(form, content('a', 2), { start: '', items: items(10) });
  assert.equal(cache.get(form, content('a', 2), ''), undefined);
  assert.ok(cache.get(form, content('a', 3), ''));
});

test('list bodies of forms that are no longer served are dropped', () => {
  const cache = new ListBodyCache();
  const other = {} as Form;
  cache.add(form, content('a/'), { start: '{', items: items(100) });
  cache.add(form, content('b/'), { start: '{', items: items(100) });
  const before = cache.bytes;
  cache.add(other, content('a/'), { start: '{', items: items(100) });
  cache.forget([other, other]);
  assert.equal(cache.bytes, before);
  assert.equal(cache.get(other, content('a/'), '{'), undefined);
  assert.ok(cache.get(form, content('a/'), '{'));
  cache.forget([form]);
  assert.equal(cache.bytes, 0);
});
