import assert from 'node:assert/strict';
import { compareKeys } from '../contract/keys.ts';
import { bytes, keysOf, listPaged, plain, put, remove, write } from './actions.ts';
import { FeedReader } from './feed-reader.ts';
import type { ContractTest, Subject } from './subject.ts';

/** Keys that engines may get wrong: neighbours of `/`, wildcards of SQL and of globs, odd ends of ranges. */
const ODD_KEYS = [
  'a',
  'a-b',
  'a.b',
  'a/',
  'a/b',
  'a/b/c',
  'a0',
  'A/b',
  'a%',
  'a_b',
  'a*',
  'a?',
  'a[b]',
  "a'b",
  'a"b',
  'a\\b',
  'a\nb',
  'aé',
  'a\u007f',
  'a\uffff',
  'a\uffff/b',
  'a\u{10ffff}',
  'a\u{10ffff}/b',
  'é/1',
  'e\u0301/1',
  '\uffee/1',
  '\u{1f600}/1',
  '\u{1f601}/1',
  '\u{10ffff}',
  '\u{10ffff}\u{10ffff}',
];
const ODD_PREFIXES = [
  '',
  ...ODD_KEYS,
  'a\u{10fffe}',
  '\u{1f600}',
  'b',
  'a/b/c/d',
  '\u{10ffff}\u{10fffe}',
];

export const readTests: readonly ContractTest[] = [
  { name: 'get returns the last value and the revision that wrote it', run: getReturnsLast },
  { name: 'values are read as they were written', run: bytesComeBack },
  { name: 'an empty store has a revision above 0 and nothing in it', run: emptyStore },
  { name: 'list is in bytewise order of the keys', run: listOrder },
  { name: 'list and count take exactly the keys that begin with the prefix', run: prefixes },
  { name: 'pages of every size join to the whole list', run: pagesJoin },
  { name: 'remaining counts the keys behind the page', run: remaining },
  { name: 'after is exclusive and may stand outside the prefix', run: after },
  { name: 'a list is true at the revision it names', run: listRevision },
];

async function getReturnsLast({ storage }: Subject): Promise<void> {
  assert.equal(await storage.get('a'), undefined);
  const created = await put(storage, 'a', 'one');
  assert.equal(plain(await storage.get('a')), `a@${created}=one`);
  await put(storage, 'b', 'other');
  assert.equal(plain(await storage.get('a')), `a@${created}=one`);
  const updated = await put(storage, 'a', 'two');
  assert.equal(plain(await storage.get('a')), `a@${updated}=two`);
  await remove(storage, 'a');
  assert.equal(await storage.get('a'), undefined);
  assert.equal(await storage.get('A'), undefined);
}

async function bytesComeBack({ storage, waitMs }: Subject): Promise<void> {
  const start = await storage.currentRevision();
  const every = Uint8Array.from({ length: 256 }, (_, at) => at);
  const large = new Uint8Array(1_500_000).map((_, at) => at % 251);
  const values = { empty: new Uint8Array(0), every, large, text: bytes('naïve \u{1f600}') };
  let revision = start;
  for (const [key, value] of Object.entries(values)) {
    revision = await write(storage, { require: [], writes: [{ kind: 'put', key, value }] });
  }
  const page = await storage.list('');
  const reader = new FeedReader(storage, start, waitMs);
  const events = await reader.until(revision);
  for (const [key, value] of Object.entries(values)) {
    const got = [
      (await storage.get(key))?.value,
      page.items.find((item) => item.key === key)?.value,
      events
        .map((event) => (event.kind === 'put' && event.key === key ? event.value : undefined))
        .find(Boolean),
    ];
    for (const bytesGot of got) assert.ok(bytesGot && Buffer.compare(bytesGot, value) === 0, key);
  }
  await reader.close();
}

async function emptyStore({ storage }: Subject): Promise<void> {
  assert.ok((await storage.currentRevision()) > 0);
  const page = await storage.list('');
  assert.ok(page.revision > 0);
  assert.deepEqual(page.items, []);
  assert.equal(page.remaining, 0);
  assert.equal(await storage.count(''), 0);
}

async function putOddKeys({ storage, random }: Subject): Promise<void> {
  const shuffled = ODD_KEYS.map((key) => ({ key, at: random.below(1000) })).sort(
    (a, b) => a.at - b.at,
  );
  for (const { key } of shuffled) await put(storage, key);
}

async function listOrder(subject: Subject): Promise<void> {
  await putOddKeys(subject);
  const sorted = ODD_KEYS.map((key) => Buffer.from(key))
    .sort(Buffer.compare)
    .map(String);
  assert.deepEqual(keysOf(await subject.storage.list('')), sorted);
}

async function prefixes(subject: Subject): Promise<void> {
  await putOddKeys(subject);
  for (const prefix of ODD_PREFIXES) {
    const expected = ODD_KEYS.filter((key) => key.startsWith(prefix)).sort(compareKeys);
    const page = await subject.storage.list(prefix);
    assert.deepEqual(keysOf(page), expected, `prefix ${JSON.stringify(prefix)}`);
    assert.equal(await subject.storage.count(prefix), expected.length, `count of ${prefix}`);
  }
}

async function pagesJoin(subject: Subject): Promise<void> {
  await putOddKeys(subject);
  for (const prefix of ['', 'a', '\u{10ffff}']) {
    const whole = (await subject.storage.list(prefix)).items.map(plain);
    for (let limit = 1; limit <= whole.length + 1; limit += 1) {
      const { items } = await listPaged(subject.storage, prefix, { limit });
      assert.deepEqual(items.map(plain), whole, `pages of ${limit}`);
    }
  }
}

async function remaining(subject: Subject): Promise<void> {
  const { storage } = subject;
  await putOddKeys(subject);
  const whole = ODD_KEYS.filter((key) => key.startsWith('a')).sort(compareKeys);
  assert.equal((await storage.list('a')).remaining, 0);
  for (const [at, key] of whole.entries()) {
    const page = await storage.list('a', { after: key, limit: 2 });
    assert.deepEqual(keysOf(page), whole.slice(at + 1, at + 3));
    assert.equal(page.remaining, Math.max(0, whole.length - at - 3), `behind ${key}`);
  }
}

async function after(subject: Subject): Promise<void> {
  const { storage } = subject;
  for (const key of ['a/1', 'b/1', 'b/2', 'b/3', 'c/1']) await put(storage, key);
  const cases: readonly [after: string, keys: readonly string[]][] = [
    ['b/1', ['b/2', 'b/3']],
    ['b/10', ['b/2', 'b/3']],
    ['a/1', ['b/1', 'b/2', 'b/3']],
    ['b', ['b/1', 'b/2', 'b/3']],
    ['b/3', []],
    ['c/0', []],
  ];
  for (const [behind, keys] of cases) {
    const page = await storage.list('b/', { after: behind });
    assert.deepEqual(keysOf(page), keys, `after ${behind}`);
    assert.equal(page.remaining, 0, `after ${behind}`);
    const first = await storage.list('b/', { after: behind, limit: 1 });
    assert.equal(first.remaining, Math.max(0, keys.length - 1), `one after ${behind}`);
  }
}

async function listRevision({ storage }: Subject): Promise<void> {
  const revision = await put(storage, 'a', 'one');
  const page = await storage.list('');
  assert.ok(page.revision >= revision, 'not before the last commit');
  assert.ok(page.revision <= (await storage.currentRevision()), 'not in the future');
  await put(storage, 'a', 'two');
  const past = await storage.list('', { revision });
  assert.equal(past.revision, revision);
  assert.deepEqual(past.items.map(plain), [`a@${revision}=one`]);
}
