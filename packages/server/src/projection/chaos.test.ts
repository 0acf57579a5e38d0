import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compacted, type Revision, type Storage, StorageUnavailable } from '@tributary/storage';
import { eventually, VirtualClock } from '../../../../test/harness/index.ts';
import { FakeSource } from '../../test/projection/fake-source.ts';
import { OURS, objectBytes, openProjection } from '../../test/projection/fixture.ts';

const KEYS = ['a', 'b', 'c', 'd'];
const STEPS = 800;
/** The run is extended up to this length, until enough writes were acknowledged between the disturbances. */
const STEPS_MAX = 8000;
const WRITES_MIN = 60;

/**
 * Follows as clients do: a list, then every change. Each change must match the known state of its key, and after a loss
 * of history it lists again.
 */
class Follower {
  readonly known = new Map<string, { revision: Revision; note: string }>();
  lists = 0;
  events = 0;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(storage: Storage, clock: VirtualClock) {
    this.#running = this.#run(storage, clock);
  }

  /** Advances the clock that it may be waiting for. */
  async stop(clock: VirtualClock): Promise<void> {
    this.#stop.abort();
    await clock.advance(5);
    await this.#running;
  }

  async #run(storage: Storage, clock: VirtualClock): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#follow(storage, signal);
      } catch (error) {
        assert.ok(error instanceof Compacted || error instanceof StorageUnavailable, String(error));
        await clock.sleep(5);
      }
    }
  }

  async #follow(storage: Storage, signal: AbortSignal): Promise<void> {
    const { items, revision } = await storage.list('');
    this.lists += 1;
    this.known.clear();
    for (const item of items)
      this.known.set(item.key, { revision: item.revision, note: noteOf(item.value) });
    for await (const { events } of storage.feed(revision, { signal })) {
      for (const event of events) {
        this.events += 1;
        assert.equal(
          event.previous?.revision,
          this.known.get(event.key)?.revision,
          'matches the reported state',
        );
        if (event.kind === 'delete') this.known.delete(event.key);
        else this.known.set(event.key, { revision: event.revision, note: noteOf(event.value) });
      }
    }
  }
}

function noteOf(value: Uint8Array): string {
  return JSON.parse(Buffer.from(value).toString()).note;
}

for (const kind of ['revisioned', 'polled'] as const) {
  test(`a ${kind} source that is interrupted, slow and changed externally loses and repeats no change`, async (t) => {
    const seed = Math.floor(Math.random() * 2 ** 31) + 1;
    t.diagnostic(`seed ${seed}`);
    const random = randomFrom(seed);
    const clock = new VirtualClock();
    const fake = new FakeSource(100, clock);
    fake.repeatsChanges = true;
    const limits = { toleratedOutageMs: 40 };
    const storage = openProjection(kind === 'polled' ? fake.polled(3) : fake.revisioned(), {
      limits,
      clock,
    });
    const follower = new Follower(storage, clock);
    const own: Promise<void>[] = [];
    let acknowledged = 0;
    const isEnough = () => acknowledged >= WRITES_MIN;
    for (let step = 0; step < (isEnough() ? STEPS : STEPS_MAX); step += 1) {
      const key = KEYS[random(KEYS.length)] as string;
      const choice = random(100);
      if (choice < 35) changeOutside(fake, key, `${step}`, random(10));
      else if (choice < 97) {
        const writing = write(storage, key, `${step}`).then((isWritten) => {
          if (isWritten) acknowledged += 1;
        });
        own.push(writing);
      } else disturb(fake, { kind, clock, choice: random(6) });
      if (random(2) === 0) await clock.advance(1 + random(5));
    }
    await clock.advance(60); // until all disturbances have ended
    let areWriting = true;
    const written = Promise.all(own).finally(() => {
      areWriting = false;
    });
    await eventually(
      'all writes are over',
      async () => {
        await clock.advance(10);
        return !areWriting;
      },
      { everyMs: 0 },
    );
    await written;
    assert.ok(isEnough(), `only ${acknowledged} writes`);
    await eventually(
      () => `${state(follower)} should be ${sourceState(fake)}`,
      async () => {
        await clock.advance(10);
        return state(follower) === sourceState(fake);
      },
      { everyMs: 0 },
    );
    t.diagnostic(`${follower.events} events, ${follower.lists} lists, ${acknowledged} writes`);
    await follower.stop(clock);
    await storage.close();
  });
}

function changeOutside(fake: FakeSource, id: string, note: string, choice: number): void {
  if (choice < 2 && fake.item(id) !== undefined) fake.remove(id);
  else {
    const content = JSON.stringify({ metadata: { name: id }, note });
    fake.put({ id, label: choice < 4 ? 'other' : OURS, content });
  }
}

/** Reads, then writes the object that was read if it still exists; returns whether that was acknowledged. */
async function write(storage: Storage, key: string, note: string): Promise<boolean> {
  try {
    const revision = (await storage.get(key))?.revision ?? (0 as Revision);
    const value = objectBytes(key, { note });
    const result = await storage.commit({
      require: [{ key, revision }],
      writes: [{ kind: 'put', key, value }],
    });
    if (result.outcome === 'conflict') return false;
    const seen = await storage.get(key);
    assert.ok(
      (seen?.revision ?? Number.POSITIVE_INFINITY) >= result.revision,
      'reads its own write',
    );
    return true;
  } catch (error) {
    assert.ok(error instanceof StorageUnavailable, String(error));
    return false;
  }
}

/** Temporary disturbances, some of them longer than the tolerated outage. */
function disturb(
  fake: FakeSource,
  { kind, clock, choice }: { kind: string; clock: VirtualClock; choice: number },
): void {
  const end = (trouble: () => void, afterMs: number) => clock.schedule(afterMs, trouble);
  if (choice === 0) fake.cutChanges();
  if (choice === 1 && kind === 'revisioned') fake.forgetHistory();
  if (choice === 2) {
    fake.delayMs = 4;
    end(() => {
      fake.delayMs = 0;
    }, 20);
  }
  if (choice === 3) {
    fake.losesResponses = true;
    end(() => {
      fake.losesResponses = false;
    }, 4);
  }
  if (choice > 3) {
    fake.unavailable = true;
    end(
      () => {
        fake.unavailable = false;
      },
      choice === 4 ? 2 : 60,
    );
  }
  fake.wake();
}

function state({ known }: Follower): string {
  return JSON.stringify([...known].map(([key, { note }]) => `${key}=${note}`).sort());
}

function sourceState(fake: FakeSource): string {
  const ours = KEYS.map((key) => fake.item(key)).filter((item) => item?.label === OURS);
  return JSON.stringify(
    ours.map((item) => `${item?.id}=${JSON.parse(item?.content ?? '').note}`).sort(),
  );
}

function randomFrom(seed: number): (end: number) => number {
  let current = seed;
  return (end) => {
    current = (current * 48_271) % 2_147_483_647;
    return current % end;
  };
}
