import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { withMachineLock } from './lock.ts';
import { MISSING_GO, missingMessage, type SkippableScope, skipOrFail } from './prerequisites.ts';
import { findProgram } from './programs.ts';
import { createScope } from './scope.ts';
import { temporaryDirectory } from './temporary.ts';
import { turns } from './turns.ts';

function skippable(): SkippableScope & { skipped: (string | undefined)[] } {
  const skipped: (string | undefined)[] = [];
  return { ...createScope('skippable'), skipped, skip: (message) => void skipped.push(message) };
}

test('a skip names the program to install', () => {
  const t = skippable();
  skipOrFail(t, missingMessage('etcd'), {});
  assert.deepEqual(t.skipped, ['etcd is missing; install it with: apt-get install etcd-server']);
});

test('with CI=true a skip is a failure', () => {
  const t = skippable();
  assert.throws(() => skipOrFail(t, missingMessage('etcd'), { CI: 'true' }), /etcd is missing/);
  assert.deepEqual(t.skipped, []);
});

test('with CI=true a missing Go is tolerated', () => {
  const t = skippable();
  skipOrFail(t, missingMessage('go'), { CI: 'true' });
  assert.equal(t.skipped.length, 1);
  assert.ok(t.skipped[0]?.startsWith(MISSING_GO));
});

test('programs are found on the path, and folders are not programs', async (t) => {
  const folder = await temporaryDirectory(t);
  await writeFile(join(folder, 'tool'), '#!/bin/sh\n', { mode: 0o755 });
  await writeFile(join(folder, 'text'), '', { mode: 0o644 });
  assert.equal(findProgram('tool', `/does/not/exist:${folder}`), join(folder, 'tool'));
  assert.equal(findProgram('text', folder), undefined);
  assert.equal(findProgram('usr', '/'), undefined);
});

test('one process at a time holds the lock', async (t) => {
  const folder = await temporaryDirectory(t);
  let inside = 0;
  let most = 0;
  const work = () =>
    withMachineLock({ folder, name: 'x' }, async () => {
      inside += 1;
      most = Math.max(most, inside);
      await turns();
      inside -= 1;
    });
  await Promise.all([work(), work(), work()]);
  assert.equal(most, 1);
  assert.ok(!existsSync(join(folder, 'x.lock')));
});

test('the lock of a dead process is taken over, that of a living one is not', async (t) => {
  const folder = await temporaryDirectory(t);
  await writeFile(join(folder, 'dead.lock'), '999999999');
  assert.equal(await withMachineLock({ folder, name: 'dead' }, async () => 'in'), 'in');
  await writeFile(join(folder, 'alive.lock'), String(process.ppid));
  const blocked = withMachineLock({ folder, name: 'alive', timeoutMs: 250 }, async () => 'in');
  await assert.rejects(blocked, /was held for 250 ms/);
});

test('the lock is released when the work fails', async (t) => {
  const folder = await temporaryDirectory(t);
  const failing = withMachineLock({ folder, name: 'x' }, async () => {
    throw new Error('work');
  });
  await assert.rejects(failing, /work/);
  await withMachineLock({ folder, name: 'x', timeoutMs: 0 }, async () => undefined);
});
