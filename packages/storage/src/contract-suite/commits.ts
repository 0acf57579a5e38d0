import assert from 'node:assert/strict';
import { ABSENT, type Revision } from '../contract/revision.ts';
import { CHANGE_KEYS_MAX, type Change, type Storage } from '../contract/storage.ts';
import { plain, put, putOf, remove, write } from './actions.ts';
import { FeedReader } from './feed-reader.ts';
import { describeEvent } from './model.ts';
import type { ContractTest, Subject } from './subject.ts';

export const commitTests: readonly ContractTest[] = [
  { name: 'revisions grow with every commit', run: revisionsGrow },
  { name: 'the writes of a commit share its revision', run: oneRevision },
  { name: 'a commit that fails writes nothing at all', run: allOrNothing },
  { name: 'ABSENT requires that a key does not exist', run: requireAbsent },
  { name: 'a requirement holds for exactly one revision', run: requireExact },
  { name: 'requirements may name keys that are not written', run: requireOthers },
  { name: 'a conflict names the first requirement that does not hold', run: firstConflict },
  { name: 'deleting a missing key is a conflict', run: deleteAbsent },
  { name: 'a put without requirements replaces any value', run: unconditional },
  { name: 'the same bytes again are a commit like others', run: sameBytes },
  { name: 'an invalid change rejects with a TypeError', run: nonsense },
];

async function revisionsGrow({ storage }: Subject): Promise<void> {
  let last = await storage.currentRevision();
  for (let at = 0; at < 20; at += 1) {
    const revision = at % 3 === 2 ? await remove(storage, 'a') : await put(storage, 'a');
    assert.ok(Number.isSafeInteger(revision) && revision > last, `${revision} after ${last}`);
    last = revision;
  }
  assert.ok((await storage.currentRevision()) >= last);
}

async function oneRevision({ storage, waitMs }: Subject): Promise<void> {
  const start = await put(storage, 'old', 'value');
  const writes = [
    putOf('z', '1'),
    putOf('a', '2'),
    { kind: 'delete' as const, key: 'old' },
    putOf('m', '3'),
  ];
  const revision = await write(storage, { require: [], writes });
  const { items } = await storage.list('');
  assert.deepEqual(items.map(plain), [`a@${revision}=2`, `m@${revision}=3`, `z@${revision}=1`]);
  const reader = new FeedReader(storage, start, waitMs);
  assert.deepEqual((await reader.until(revision)).map(describeEvent), [
    `${revision} z =1, before nothing`,
    `${revision} a =2, before nothing`,
    `${revision} old deleted, before old@${start}=value`,
    `${revision} m =3, before nothing`,
  ]);
  await reader.close();
}

async function allOrNothing({ storage, waitMs }: Subject): Promise<void> {
  const start = await put(storage, 'a', 'one');
  const writes = [putOf('a', 'two'), putOf('b', 'two')];
  const failing: readonly Change[] = [
    { require: [{ key: 'a', revision: ABSENT }], writes },
    { require: [{ key: 'elsewhere', revision: start }], writes },
    { require: [], writes: [...writes, { kind: 'delete', key: 'c' }] },
  ];
  for (const change of failing) assert.equal((await storage.commit(change)).outcome, 'conflict');
  assert.deepEqual((await storage.list('')).items.map(plain), [`a@${start}=one`]);
  const reader = new FeedReader(storage, start, waitMs);
  const next = await put(storage, 'd', 'three');
  assert.deepEqual((await reader.until(next)).map(describeEvent), [
    `${next} d =three, before nothing`,
  ]);
  await reader.close();
}

async function requireAbsent({ storage }: Subject): Promise<void> {
  const require = [{ key: 'a', revision: ABSENT }];
  const created = await put(storage, 'a', 'one', { require });
  await assertConflict(storage, { require, writes: [putOf('a', 'two')] }, `a@${created}=one`);
  await remove(storage, 'a');
  await put(storage, 'a', 'three', { require });
}

async function requireExact({ storage }: Subject): Promise<void> {
  const first = await put(storage, 'a', 'one');
  const second = await put(storage, 'a', 'two', { require: [{ key: 'a', revision: first }] });
  const wrong = [first, (second + 1) as Revision, (second - 1) as Revision, ABSENT];
  for (const revision of wrong.filter((candidate) => candidate !== second)) {
    const change = { require: [{ key: 'a', revision }], writes: [putOf('a', 'lost')] };
    await assertConflict(storage, change, `a@${second}=two`);
  }
  await remove(storage, 'a');
  const gone = { require: [{ key: 'a', revision: second }], writes: [putOf('a', 'lost')] };
  await assertConflict(storage, gone, undefined);
  const again = await put(storage, 'a', 'two', { require: [{ key: 'a', revision: ABSENT }] });
  await assertConflict(storage, gone, `a@${again}=two`);
}

async function requireOthers({ storage }: Subject): Promise<void> {
  const namespace = await put(storage, 'namespace', 'active');
  const require = [
    { key: 'namespace', revision: namespace },
    { key: 'debt', revision: ABSENT },
  ];
  await put(storage, 'child/1', 'x', { require });
  await put(storage, 'debt', 'x');
  const late = { require, writes: [putOf('child/2', 'x')] };
  assert.equal((await storage.commit(late)).outcome, 'conflict');
  await remove(storage, 'debt');
  const moved = await put(storage, 'namespace', 'terminating');
  await assertConflict(storage, late, `namespace@${moved}=terminating`);
  assert.equal(await storage.count('child/'), 1);
}

async function firstConflict({ storage }: Subject): Promise<void> {
  const revisions = new Map<string, Revision>();
  for (const key of ['a', 'b', 'c']) revisions.set(key, await put(storage, key, 'x'));
  const held = (key: string) => ({ key, revision: revisions.get(key) ?? ABSENT });
  const broken = (key: string) => ({ key, revision: ABSENT });
  const writes = [putOf('d', 'x'), { kind: 'delete' as const, key: 'none' }];
  const cases = [
    { require: [held('a'), broken('b'), broken('c')], key: 'b' },
    { require: [broken('c'), broken('b'), held('a')], key: 'c' },
    { require: [held('a'), held('b')], key: 'none' },
  ];
  for (const { require, key } of cases) {
    const result = await storage.commit({ require, writes });
    assert.ok(result.outcome === 'conflict');
    assert.equal(result.key, key);
    assert.equal(result.current?.key, key === 'none' ? undefined : key);
  }
}

async function deleteAbsent({ storage }: Subject): Promise<void> {
  const result = await storage.commit({ require: [], writes: [{ kind: 'delete', key: 'a' }] });
  assert.deepEqual(result, { outcome: 'conflict', key: 'a', current: undefined });
  await put(storage, 'a');
  await remove(storage, 'a');
  const again = await storage.commit({ require: [], writes: [{ kind: 'delete', key: 'a' }] });
  assert.equal(again.outcome, 'conflict');
}

async function unconditional({ storage }: Subject): Promise<void> {
  await put(storage, 'a', 'one');
  const revision = await put(storage, 'a', 'two');
  assert.equal(plain(await storage.get('a')), `a@${revision}=two`);
}

async function sameBytes({ storage, waitMs }: Subject): Promise<void> {
  const first = await put(storage, 'a', 'same');
  const second = await put(storage, 'a', 'same');
  assert.ok(second > first);
  assert.equal(plain(await storage.get('a')), `a@${second}=same`);
  const reader = new FeedReader(storage, first, waitMs);
  const events = await reader.until(second);
  assert.deepEqual(events.map(describeEvent), [`${second} a =same, before a@${first}=same`]);
  await reader.close();
}

async function nonsense({ storage }: Subject): Promise<void> {
  const many = Array.from({ length: CHANGE_KEYS_MAX + 1 }, (_, at) => ({
    key: `${at}`,
    revision: ABSENT,
  }));
  const changes: Record<string, Change> = {
    'no writes': { require: [], writes: [] },
    'one key twice': { require: [], writes: [putOf('a', '1'), putOf('b', '1'), putOf('a', '2')] },
    'put and delete': { require: [], writes: [putOf('a', '1'), { kind: 'delete', key: 'a' }] },
    'an empty key': { require: [], writes: [putOf('', '1')] },
    'a key with U+0000': { require: [], writes: [putOf('a\0b', '1')] },
    'a lone surrogate': { require: [], writes: [putOf('a\ud800', '1')] },
    'too many writes': { require: [], writes: many.map(({ key }) => putOf(key, '1')) },
    'too many requirements': { require: many, writes: [putOf('a', '1')] },
    'no time to live': { require: [], writes: [putOf('a', '1', 0)] },
    'an endless time': { require: [], writes: [putOf('a', '1', Number.POSITIVE_INFINITY)] },
  };
  for (const [name, change] of Object.entries(changes)) {
    await assert.rejects(storage.commit(change), TypeError, name);
  }
  await assert.rejects(storage.list('\ud800'), TypeError, 'a lone surrogate in a prefix');
  await assert.rejects(storage.count('\ud800'), TypeError, 'a lone surrogate in a prefix');
  assert.equal(await storage.count(''), 0);
}

async function assertConflict(
  storage: Storage,
  change: Change,
  current: string | undefined,
): Promise<void> {
  const result = await storage.commit(change);
  assert.ok(result.outcome === 'conflict', 'expected a conflict');
  assert.equal(plain(result.current), current);
}
