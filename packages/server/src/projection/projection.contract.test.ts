import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contractTests } from '@tributary/storage/contract-suite';
import { FakeSource } from '../../test/projection/fake-source.ts';
import { bytesInObjects, openProjection } from '../../test/projection/fixture.ts';
import { ProjectionUnsupported } from './errors.ts';

type Subject = Parameters<(typeof contractTests)[number]['run']>[0];
type Random = Subject['random'];

/**
 * Tests that a projection refuses: its source writes one item in one step, knows no other keys and has no time to live.
 * Each of these tests must fail with that refusal.
 */
const refused = new Set([
  'the writes of a commit share its revision',
  'a commit that fails writes nothing at all',
  'requirements may name keys that are not written',
  'a conflict names the first requirement that does not hold',
  'nothing is created under a key whose required revision moved',
  'lists under concurrent writes are of one revision',
  'a live feed has the commits of concurrent writers',
  'a commit is not split over two batches',
  'a key lives as long as its ttl, then the feed has an ordinary delete',
  'a later write replaces the ttl of a key',
  'many keys expire, each as a change of its own',
  '100,000 objects are listed, paged, counted, read and in a feed',
]);

const kinds = {
  'a source with revisions': () => new FakeSource().revisioned(),
  'a source that is polled': () => new FakeSource().polled(5),
};

for (const [name, source] of Object.entries(kinds)) {
  describe(`storage contract: a projection of ${name}`, { concurrency: 4 }, () => {
    for (const contractTest of contractTests) {
      const isRefused = refused.has(contractTest.name);
      test(`${contractTest.name}${isRefused ? ': refused' : ''}`, async (t) => {
        const storage = bytesInObjects(openProjection(source()));
        const seed = Math.floor(Math.random() * 2 ** 32);
        t.diagnostic(`seed ${seed}`);
        const random = singleWrites(randomFrom(seed));
        const run = contractTest.run({ t, storage, random, scale: 0.2, waitMs: 20_000 });
        try {
          if (isRefused) await assert.rejects(run, ProjectionUnsupported);
          else await run;
        } finally {
          await storage.close();
        }
      });
    }
  });
}

test('every refused test is in the storage contract', () => {
  const names = new Set(contractTests.map(({ name }) => name));
  assert.deepEqual(
    [...refused].filter((name) => !names.has(name)),
    [],
  );
});

/** Park and Miller: enough to choose keys. */
function randomFrom(seed: number): Random {
  let state = (seed % 2_147_483_646) + 1;
  const below = (end: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % end;
  };
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}

/** The random histories of the suite pick the keys of a commit one after the other: here each pick is the first. */
function singleWrites(random: Random): Random {
  let picked: unknown;
  return {
    below: (end) => {
      picked = undefined;
      return random.below(end);
    },
    pick: (items) => {
      picked ??= random.pick(items);
      return picked as (typeof items)[number];
    },
  };
}
