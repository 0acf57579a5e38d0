import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextMacrotask } from 'node:timers/promises';
import type { MetadataEvent } from '@tributary/server/http';
import type { ResourcePlace } from '@tributary/server/routing';
import { VirtualClock } from '../../../../../test/harness/index.ts';
import { watchLocal } from './local-monitor.ts';

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

/** Watches that deliver the given steps, one after the other. */
function site(watches: (readonly Step[] | undefined)[], apply?: (name: string) => void) {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const reported: string[] = [];
  const positions: (number | undefined)[] = [];
  const places: ResourcePlace[] = [];
  const running = watchLocal(things, {
    clock,
    signal: stop.signal,
    localMetadata: (place) => {
      places.push(place);
      const steps = watches.shift();
      if (steps === undefined) return undefined;
      return async function* ({ after, signal }) {
        positions.push(after);
        for (const step of steps) {
          if (step === 'end') return;
          if (step instanceof Error) throw step;
          yield step;
        }
        await new Promise<void>((end) => signal.addEventListener('abort', () => end()));
      };
    },
    replace: (objects) => reported.push(`all: ${objects.map(({ name }) => name).join(' ')}`),
    apply: (type, { name }) => {
      apply?.(name);
      reported.push(`${type} ${name}`);
    },
    onError: (error) => reported.push(`failed: ${(error as Error).message}`),
  });
  const rest = async (ms = 0) => {
    for (let turn = 0; turn < 10; turn += 1) await nextMacrotask();
    if (ms > 0) await clock.advance(ms);
    for (let turn = 0; turn < 10; turn += 1) await nextMacrotask();
  };
  const close = async () => {
    stop.abort();
    await running;
  };
  return { reported, positions, places, rest, close };
}

const begun: Step = [event('ADDED', 'a', 3), event('ADDED', 'b', 5), bookmark(7, true)];

const cases: {
  name: string;
  watches: (readonly Step[] | undefined)[];
  reported: string[];
  positions: (number | undefined)[];
}[] = [
  {
    name: 'all objects at once, then changes',
    watches: [[begun, [event('MODIFIED', 'a', 8), event('DELETED', 'b', 9)]]],
    reported: ['all: a b', 'observed a', 'removed b'],
    positions: [undefined],
  },
  {
    name: 'no objects',
    watches: [[[bookmark(7, true)]]],
    reported: ['all: '],
    positions: [undefined],
  },
  {
    name: 'a watch that ended resumes after its last event',
    watches: [[begun, [event('ADDED', 'c', 8)], 'end'], [[event('ADDED', 'd', 9)]]],
    reported: ['all: a b', 'observed c', 'observed d'],
    positions: [undefined, 8],
  },
  {
    name: 'a watch resumes after a bookmark',
    watches: [[begun, [bookmark(20)], 'end'], []],
    reported: ['all: a b'],
    positions: [undefined, 20],
  },
  {
    name: 'a watch that ended before its initial events starts over',
    watches: [[[event('ADDED', 'a', 3)], 'end'], [begun]],
    reported: ['all: a b'],
    positions: [undefined, undefined],
  },
  {
    name: 'a watch that failed starts over',
    watches: [[begun, new Error('too old')], [[bookmark(9, true)]]],
    reported: ['all: a b', 'failed: too old', 'all: '],
    positions: [undefined, undefined],
  },
  {
    name: 'a resource that is no longer local is retried',
    watches: [undefined, [begun]],
    reported: ['failed: things.example.com: not stored here any more', 'all: a b'],
    positions: [undefined],
  },
];

for (const { name, watches, reported, positions } of cases) {
  test(name, async () => {
    const one = site([...watches]);
    for (let second = 0; second < 3; second += 1) await one.rest(1000);
    assert.deepEqual(one.reported, reported);
    assert.deepEqual(one.positions, positions);
    const { group, version } = things;
    assert.deepEqual(one.places[0], { group, version, resource: 'things' });
    await one.close();
  });
}

test('a watch starts over when the graph rejects a change', async () => {
  let isFull = true;
  const one = site([[begun, [event('ADDED', 'c', 8)]], [begun]], () => {
    if (isFull) throw new Error('full');
  });
  await one.rest();
  isFull = false;
  await one.rest(1000);
  assert.deepEqual(one.reported, ['all: a b', 'failed: full', 'all: a b']);
  await one.close();
});

test('pauses double while a watch delivers no events', async () => {
  const bad = new Error('bad');
  const one = site([[bad], [bad], [bad], [begun, 'end'], [bad], []]);
  const attempts: number[] = [];
  for (let second = 0; second < 9; second += 1) {
    await one.rest(500);
    attempts.push(one.places.length);
  }
  // Retries after 0.5, 1, 2 and then 0.5 and 1 seconds.
  assert.deepEqual(attempts, [2, 2, 3, 3, 3, 3, 4, 5, 5]);
  await one.close();
});
