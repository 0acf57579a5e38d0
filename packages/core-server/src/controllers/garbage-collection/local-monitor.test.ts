import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import type { MetadataEvent } from '@tributary/server/http';
import type { ResourcePlace } from '@tributary/server/routing';
import { VirtualClock } from '../../../../../test/harness/index.ts';
import { followOwn } from './local-monitor.ts';

type Revision = MetadataEvent['revision'];
type Step = readonly MetadataEvent[] | Error | 'end';

const things = { group: 'example.com', version: 'v1', plural: 'things', namespaced: true };

function event(type: 'ADDED' | 'MODIFIED' | 'DELETED', name: string, at: number): MetadataEvent {
  return {
    type,
    metadata: { name, namespace: 'eu', uid: `uid-${name}` },
    revision: at as Revision,
  };
}

function bookmark(at: number, initialEventsEnd = false): MetadataEvent {
  return { type: 'BOOKMARK', revision: at as Revision, initialEventsEnd };
}

/** Watches that bring what they are told to bring, one after the other. */
function site(watches: (readonly Step[] | undefined)[], apply?: (name: string) => void) {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const told: string[] = [];
  const asked: (number | undefined)[] = [];
  const places: ResourcePlace[] = [];
  const running = followOwn(things, {
    clock,
    signal: stop.signal,
    ownMetadata: (place) => {
      places.push(place);
      const steps = watches.shift();
      if (steps === undefined) return undefined;
      return async function* ({ after, signal }) {
        asked.push(after);
        for (const step of steps) {
          if (step === 'end') return;
          if (step instanceof Error) throw step;
          yield step;
        }
        await new Promise<void>((end) => signal.addEventListener('abort', () => end()));
      };
    },
    replace: (objects) => told.push(`all: ${objects.map(({ name }) => name).join(' ')}`),
    apply: (type, { name }) => {
      apply?.(name);
      told.push(`${type} ${name}`);
    },
    onError: (error) => told.push(`failed: ${(error as Error).message}`),
  });
  const rest = async (ms = 0) => {
    for (let turn = 0; turn < 10; turn += 1) await settle();
    if (ms > 0) await clock.advance(ms);
    for (let turn = 0; turn < 10; turn += 1) await settle();
  };
  const close = async () => {
    stop.abort();
    await running;
  };
  return { told, asked, places, rest, close };
}

const begun: Step = [event('ADDED', 'a', 3), event('ADDED', 'b', 5), bookmark(7, true)];

const cases: {
  name: string;
  watches: (readonly Step[] | undefined)[];
  told: string[];
  asked: (number | undefined)[];
}[] = [
  {
    name: 'all objects at once, then changes',
    watches: [[begun, [event('MODIFIED', 'a', 8), event('DELETED', 'b', 9)]]],
    told: ['all: a b', 'observed a', 'removed b'],
    asked: [undefined],
  },
  {
    name: 'no objects',
    watches: [[[bookmark(7, true)]]],
    told: ['all: '],
    asked: [undefined],
  },
  {
    name: 'one that is ended is resumed behind its last event',
    watches: [[begun, [event('ADDED', 'c', 8)], 'end'], [[event('ADDED', 'd', 9)]]],
    told: ['all: a b', 'observed c', 'observed d'],
    asked: [undefined, 8],
  },
  {
    name: 'bookmarks count',
    watches: [[begun, [bookmark(20)], 'end'], []],
    told: ['all: a b'],
    asked: [undefined, 20],
  },
  {
    name: 'one that is ended before it had told everything starts over',
    watches: [[[event('ADDED', 'a', 3)], 'end'], [begun]],
    told: ['all: a b'],
    asked: [undefined, undefined],
  },
  {
    name: 'one that fails starts over',
    watches: [[begun, new Error('too old')], [[bookmark(9, true)]]],
    told: ['all: a b', 'failed: too old', 'all: '],
    asked: [undefined, undefined],
  },
  {
    name: 'what is not kept any more is asked for again',
    watches: [undefined, [begun]],
    told: ['failed: things.example.com: not kept here any more', 'all: a b'],
    asked: [undefined],
  },
];

for (const { name, watches, told, asked } of cases) {
  test(name, async () => {
    const one = site([...watches]);
    for (let second = 0; second < 3; second += 1) await one.rest(1000);
    assert.deepEqual(one.told, told);
    assert.deepEqual(one.asked, asked);
    const { group, version } = things;
    assert.deepEqual(one.places[0], { group, version, resource: 'things' });
    await one.close();
  });
}

test('a graph that cannot take a change is told everything again', async () => {
  let isFull = true;
  const one = site([[begun, [event('ADDED', 'c', 8)]], [begun]], () => {
    if (isFull) throw new Error('full');
  });
  await one.rest();
  isFull = false;
  await one.rest(1000);
  assert.deepEqual(one.told, ['all: a b', 'failed: full', 'all: a b']);
  await one.close();
});

test('pauses grow while nothing is told, and are short again afterwards', async () => {
  const bad = new Error('bad');
  const one = site([[bad], [bad], [bad], [begun, 'end'], [bad], []]);
  const attempts: number[] = [];
  for (let second = 0; second < 9; second += 1) {
    await one.rest(500);
    attempts.push(one.places.length);
  }
  // After 0.5, 1, 2 and then 0.5 and 1 seconds.
  assert.deepEqual(attempts, [2, 2, 3, 3, 3, 3, 4, 5, 5]);
  await one.close();
});
