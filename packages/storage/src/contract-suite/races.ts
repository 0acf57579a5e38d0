import assert from 'node:assert/strict';
import { ABSENT, type Revision } from '../contract/revision.ts';
import type { Storage, Stored } from '../contract/storage.ts';
import { listPaged, plain, put, putOf, text, times, write } from './actions.ts';
import { type ContractTest, type Subject, scaled } from './subject.ts';

const WRITERS = 32;

export const raceTests: readonly ContractTest[] = [
  { name: 'compare-and-set is linearizable under 32 writers', run: counter },
  { name: 'one of many creators wins, the others see the winner', run: creators },
  { name: 'nothing is created under a key whose required revision moved', run: namespaceDeletion },
  { name: 'reads see every commit acknowledged before them', run: freshReads },
  { name: 'currentRevision is fresh for each of many callers', run: freshRevisions },
  { name: 'lists under concurrent writes are of one revision', run: transfers },
];

/** Every success adds one, so that a lost update or a false success shows in the sum. */
async function counter(subject: Subject): Promise<void> {
  const { storage } = subject;
  await put(storage, 'counter', '0');
  const revisions: Revision[] = [];
  await times(WRITERS, async () => {
    for (let attempt = 0; attempt < scaled(subject, 60, 10); attempt += 1) {
      const revision = await increment(storage, await storage.get('counter'));
      if (revision !== undefined) revisions.push(revision);
    }
  });
  const final = await storage.get('counter');
  assert.ok(final);
  assert.equal(Number(text(final.value)), revisions.length, 'successes are in the value');
  assert.equal(new Set(revisions).size, revisions.length, 'each success has its own revision');
  assert.equal(final.revision, Math.max(...revisions));
  subject.t.diagnostic(`${revisions.length} of ${WRITERS * scaled(subject, 60, 10)} attempts won`);
}

async function increment(
  storage: Storage,
  seen: Stored | undefined,
): Promise<Revision | undefined> {
  assert.ok(seen);
  const value = String(Number(text(seen.value)) + 1);
  const require = [{ key: 'counter', revision: seen.revision }];
  const result = await storage.commit({ require, writes: [putOf('counter', value)] });
  if (result.outcome === 'written') return result.revision;
  assert.ok(
    result.current && result.current.revision > seen.revision,
    'a newer value made it fail',
  );
  return undefined;
}

async function creators({ storage }: Subject): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    const key = `round/${round}`;
    const winners: string[] = [];
    const losers: (string | undefined)[] = [];
    await times(WRITERS, async (writer) => {
      const value = `writer ${writer}`;
      const require = [{ key, revision: ABSENT }];
      const result = await storage.commit({ require, writes: [putOf(key, value)] });
      if (result.outcome === 'written') winners.push(`${key}@${result.revision}=${value}`);
      else losers.push(plain(result.current));
    });
    assert.equal(winners.length, 1);
    assert.equal(plain(await storage.get(key)), winners[0]);
    assert.deepEqual(losers, new Array(WRITERS - 1).fill(winners[0]));
  }
}

/** As when an object is created in a namespace: its creation requires the namespace's revision. */
async function namespaceDeletion(subject: Subject): Promise<void> {
  const { storage } = subject;
  for (let round = 0; round < scaled(subject, 10, 2); round += 1) {
    const namespace = `namespaces/${round}`;
    const revision = await put(storage, namespace, 'active');
    const created: Revision[] = [];
    let terminated: Revision | undefined;
    const creator = async (writer: number) => {
      for (let at = 0; at < 8; at += 1) {
        const child = putOf(`children/${round}/${writer}/${at}`, 'x');
        const require = [{ key: namespace, revision }];
        const result = await storage.commit({ require, writes: [child] });
        if (result.outcome === 'conflict') return;
        created.push(result.revision);
      }
    };
    const terminate = async () => {
      for (let wait = subject.random.below(8); wait > 0; wait -= 1) await storage.get(namespace);
      const writes = [putOf(namespace, 'terminating')];
      terminated = await write(storage, { require: [{ key: namespace, revision }], writes });
    };
    await Promise.all([times(WRITERS, creator), terminate()]);
    await creator(WRITERS);
    assertNoneAfter(created, terminated, (await storage.list(`children/${round}/`)).items);
  }
}

function assertNoneAfter(
  created: readonly Revision[],
  terminated: Revision | undefined,
  children: readonly Stored[],
): void {
  assert.ok(terminated !== undefined);
  const limit = terminated;
  assert.deepEqual(
    children.map((child) => child.revision).sort((a, b) => a - b),
    created.toSorted((a, b) => a - b),
  );
  assert.deepEqual(children.filter((child) => child.revision >= limit).map(plain), []);
}

async function freshReads(subject: Subject): Promise<void> {
  const { storage } = subject;
  let acknowledged = await put(storage, 'a/key', '0');
  let done = false;
  const writer = async () => {
    for (let at = 0; at < scaled(subject, 300, 50); at += 1) {
      acknowledged = await put(storage, 'a/key', String(at));
    }
    done = true;
  };
  const reader = async () => {
    let last = ABSENT;
    while (!done) {
      const before = acknowledged;
      const [stored, page] = await Promise.all([storage.get('a/key'), storage.list('a/')]);
      assert.ok(stored && stored.revision >= before, 'get sees what was acknowledged');
      assert.ok(stored.revision >= last, 'get does not go back');
      assert.ok(page.revision >= before, 'list is not older than what was acknowledged');
      assert.ok((page.items[0]?.revision ?? 0) >= before, 'list sees what was acknowledged');
      last = stored.revision;
    }
  };
  await Promise.all([writer(), times(4, reader)]);
}

async function freshRevisions(subject: Subject): Promise<void> {
  const { storage } = subject;
  let acknowledged = await storage.currentRevision();
  await times(8, async (writer) => {
    for (let at = 0; at < scaled(subject, 50, 10); at += 1) {
      const revision = await put(storage, `key ${writer}`, String(at));
      if (revision > acknowledged) acknowledged = revision;
      await times(8, async () => {
        const before = acknowledged;
        const known = storage.acknowledgedRevision?.() ?? before;
        assert.ok(known >= before, 'what is known at once is older than an acknowledged commit');
        assert.ok((await storage.currentRevision()) >= before, 'older than an acknowledged commit');
      });
    }
  });
}

/** Transfers between accounts in single commits, so that every consistent list has the same sum. */
async function transfers(subject: Subject): Promise<void> {
  const { storage, random } = subject;
  const accounts = Array.from({ length: 20 }, (_, at) => `accounts/${at}`);
  await write(storage, { require: [], writes: accounts.map((key) => putOf(key, '100')) });
  let done = false;
  const transferring = times(8, async () => {
    for (let at = 0; at < scaled(subject, 60, 15); at += 1) {
      await transfer(storage, random.pick(accounts), random.pick(accounts));
    }
  }).then(() => {
    done = true;
  });
  const auditor = async (limit: number) => {
    while (!done) assert.equal(sum((await listPaged(storage, 'accounts/', { limit })).items), 2000);
  };
  await Promise.all([transferring, auditor(1000), auditor(3), auditor(7)]);
}

async function transfer(storage: Storage, from: string, to: string): Promise<void> {
  const [source, target] = await Promise.all([storage.get(from), storage.get(to)]);
  if (from === to || source === undefined || target === undefined) return;
  await storage.commit({
    require: [source, target],
    writes: [
      putOf(from, String(Number(text(source.value)) - 1)),
      putOf(to, String(Number(text(target.value)) + 1)),
    ],
  });
}

function sum(items: readonly Stored[]): number {
  return items.reduce((total, { value }) => total + Number(text(value)), 0);
}
