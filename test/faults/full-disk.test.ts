/** The sample server on a disk that is full for a while. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { describe, test } from 'node:test';
import { checkStore } from '@tributary/storage-sqlite';
import { eventually, seededRandom } from '../harness/index.ts';
import type { Reply } from './api-client.ts';
import { attack, type Disturbance, describeFigures } from './attack.ts';
import { checkHistory, describeViolations } from './checker.ts';
import type { Recorder } from './recorder.ts';
import { type SmallDisk, type SmallDiskKind, smallDisk, smallDiskKinds } from './small-disk.ts';
import { Target, wardle } from './target.ts';

const WRITERS = 6;
/** How many writes must be acknowledged when there is room. */
const ENOUGH = 100;
const FAILURES = 20;
/** How many reads must succeed when there is none. */
const READS = 100;

const names: Readonly<Record<SmallDiskKind, string>> = {
  tmpfs: 'a disk without room',
  limit: 'files that may not grow',
};

describe('writes fail, reads go on, and all is well when there is room again', () => {
  for (const kind of smallDiskKinds()) {
    test(names[kind], async (t) => {
      const { seed } = seededRandom(t);
      const disk = await smallDisk(t, kind);
      if (disk === undefined) return;
      const program = wardle(disk.directory);
      const target = await Target.create(t, { dataDir: disk.directory, program });
      const run = { seed, writers: WRITERS, disturb: fullTwice(disk), restart: true };
      const { history, figures } = await attack(target, run);
      t.diagnostic(describeFigures(figures));
      await target.stop();
      const violations = checkHistory(history);
      assert.ok(violations.length === 0, `\n${describeViolations(violations)}`);
      assert.deepEqual((await checkStore(disk.directory)).findings, []);
    });
  }
});

/** Once there is room again while the server runs, and once it is killed on the full disk. */
function fullTwice(disk: SmallDisk): Disturbance {
  return async (run) => {
    const { target, recorder } = run;
    await assertWrites(run);
    await disk.fill(target.pid);
    await assertOnlyReads(recorder);
    await eventually('it is not ready', async () =>
      /-.storage-writable/.test(await text(target, '/readyz')),
    );
    assert.equal(await text(target, '/livez'), 'ok', 'it is alive');
    await disk.free(target.pid);
    await assertWrites(run);
    await eventually('it is ready again', async () => (await text(target, '/readyz')) === 'ok');

    await disk.fill(target.pid);
    await assertOnlyReads(recorder);
    await target.kill();
    await disk.free(undefined);
    await target.start();
    await assertWrites(run);
  };
}

async function assertWrites(run: Parameters<Disturbance>[0]): Promise<void> {
  const { counts } = run.recorder;
  const enough = counts.acknowledged + ENOUGH;
  await eventually('writes are acknowledged', () => counts.acknowledged >= enough);
}

async function assertOnlyReads({ failures, counts }: Recorder): Promise<void> {
  failures.length = 0;
  await eventually('writes fail when the disk is full', () => failures.length >= FAILURES);
  for (const failure of failures) assertReadable(failure);
  const { failedReads, reads } = counts;
  await eventually('reads succeed when the disk is full', () => counts.reads >= reads + READS);
  assert.equal(counts.failedReads, failedReads, 'no read fails when the disk is full');
}

async function text(target: Target, path: string): Promise<string> {
  const outgoing = get((await target.url()) + path, { ...target.credentials, agent: false });
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return (await incoming.setEncoding('utf8').toArray()).join('');
}

/** A Status that says what to do: to come again. */
function assertReadable({ status, headers, body }: Reply): void {
  const { kind, code, reason, message } = body as Record<string, unknown>;
  assert.equal(kind, 'Status');
  assert.equal(code, status);
  assert.equal(reason, 'ServerTimeout');
  assert.match(
    String(message),
    /^The \w+ operation against .* could not be completed at this time/,
  );
  assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
}
