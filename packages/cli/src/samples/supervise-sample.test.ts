import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '@tributary/client';
import { type TestScope, temporaryDirectory } from '../../../../test/harness/index.ts';
import type { SampleLog } from './sample-log.ts';
import { STOP_MS } from './sample-process.ts';
import { type Supervision, superviseSample } from './supervise-sample.ts';

const LISTENING = "console.log('program is listening at https://127.0.0.1:7443');";
const FOR_EVER = 'setInterval(() => {}, 1000);';

interface Supervised {
  readonly stop: AbortController;
  readonly done: Promise<void>;
  readonly printed: readonly string[];
  readonly published: readonly (number | undefined)[];
  readonly retained: readonly string[];
}

interface SuperviseOptions extends Partial<Supervision> {
  stopWhen(seen: Supervised): boolean;
  /** Looked at for every line of the program. By default it has as long to stop as it takes. */
  killWhen?(line: string): boolean;
}

/** Runs a program with pauses that end at once; only the program itself takes time. */
async function supervise(
  t: TestScope,
  source: string,
  { stopWhen, killWhen = () => false, ...options }: SuperviseOptions,
): Promise<Supervised> {
  const file = join(await temporaryDirectory(t), 'program.mjs');
  await writeFile(file, source);
  const stop = new AbortController();
  const printed: string[] = [];
  const published: (number | undefined)[] = [];
  const retained: string[] = [];
  let kill = () => {};
  const log: SampleLog = {
    line: (text) => {
      retained.push(text);
      if (killWhen(text)) kill();
    },
    problem: (text) => retained.push(text),
    close: async () => {},
  };
  const check = () => {
    if (stopWhen(seen)) stop.abort(new Error('enough'));
  };
  const done = superviseSample(
    {
      file,
      log,
      clock: {
        nowMs: systemClock.nowMs,
        schedule: (delayMs, run) => {
          if (delayMs !== STOP_MS) {
            return systemClock.schedule(delayMs > 30_000 ? delayMs : 0, run);
          }
          kill = run;
          return () => {};
        },
      },
      prepare: async () => [],
      publish: async (port) => void published.push(port),
      accompany: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          check();
        }),
      print: (line) => {
        printed.push(line);
        check();
      },
      ...options,
    },
    stop.signal,
  );
  const seen: Supervised = { stop, done, printed, published, retained };
  await done;
  return seen;
}

test('a program that cannot start is tried again, later and later, and each time it is said why', async (t) => {
  const { printed, published } = await supervise(
    t,
    "console.error('E1116 07:31:05.1  1] no store'); process.exit(3);",
    { stopWhen: (seen) => seen.printed.length === 3 },
  );
  const why = 'ended with code 3, and its last words were: E1116 07:31:05.1  1] no store';
  const wanted = ['0.5', '1', '2'].map((s) => `${why}; it is started again in ${s} s`);
  assert.deepEqual(printed, wanted);
  assert.ok(published.every((port) => port === undefined));
});

test('what must be in place before fails: that is the reason', async (t) => {
  const { printed, retained } = await supervise(t, LISTENING, {
    prepare: async () => {
      throw new Error('namespaces "wardle" is being terminated');
    },
    stopWhen: (seen) => seen.printed.length === 1,
  });
  assert.deepEqual(printed, [
    'namespaces "wardle" is being terminated; it is started again in 0.5 s',
  ]);
  assert.deepEqual(retained, [], 'it was not started');
});

test('a program that listens is published, and stopped when it is over', async (t) => {
  const { printed, published, retained } = await supervise(
    t,
    `${FOR_EVER} process.on('SIGTERM', () => { console.log('bye'); process.exit(); }); ${LISTENING}`,
    { stopWhen: (seen) => seen.published.length === 1 },
  );
  assert.deepEqual([printed, published], [[], [7443]]);
  assert.deepEqual(retained, ['program is listening at https://127.0.0.1:7443', 'bye']);
});

test('a program that does not want to stop is killed', async (t) => {
  const { retained } = await supervise(
    t,
    `process.on('SIGTERM', () => console.log('no')); ${FOR_EVER} ${LISTENING}`,
    { stopWhen: (seen) => seen.published.length === 1, killWhen: (line) => line === 'no' },
  );
  assert.deepEqual(retained.slice(1), ['no']); // and it has ended, or this line would not run
});
