import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { broken, brokenEngines } from '../test/broken-engines.ts';
import type { Storage } from './contract/storage.ts';
import { randomFrom } from './contract-suite/random.ts';
import { contractTests } from './contract-suite.ts';

/** The time to wait for an event that never comes. */
const BROKEN_WAIT_MS = 400;
/** An event that comes may take longer on a busy machine. */
const WAIT_MS = 30_000;

/** Runs one test of the contract against a store and returns its failure, if it failed. */
async function outcome(
  t: TestContext,
  name: string,
  { open, waitMs }: { open: () => Storage; waitMs: number },
): Promise<unknown> {
  const contractTest = contractTests.find((candidate) => candidate.name === name);
  assert.ok(contractTest, `no test of the contract is called "${name}"`);
  const storage = open();
  const subject = { t, storage, random: randomFrom(1), scale: 0.01, waitMs };
  try {
    await contractTest.run(subject);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    // Some engines are broken in closing itself; the test has ended either way.
    await storage.close().catch(() => undefined);
  }
}

describe('an engine with a fault is noticed', { concurrency: 8 }, () => {
  for (const { fault, noticedBy, open } of brokenEngines) {
    for (const name of noticedBy) {
      test(`${fault}: ${name}`, async (t) => {
        const error = await outcome(t, name, { open, waitMs: BROKEN_WAIT_MS });
        assert.ok(error instanceof Error && !(error instanceof TypeError), `not noticed: ${error}`);
      });
    }
  }
});

describe('an engine without a fault is not', { concurrency: 8 }, () => {
  for (const { name } of contractTests) {
    test(name, async (t) => {
      const open = broken(() => ({}));
      assert.equal(await outcome(t, name, { open, waitMs: WAIT_MS }), undefined);
    });
  }
});

test('every test of the contract notices some fault', () => {
  const noticing = new Set(brokenEngines.flatMap(({ noticedBy }) => noticedBy));
  assert.deepEqual(
    contractTests.map(({ name }) => name).filter((name) => !noticing.has(name)),
    [],
  );
});

test('the suite fails on a broken engine and names the broken behaviour', () => {
  const file = join(import.meta.dirname, '..', 'test', 'broken-engine-run.ts');
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = [
    ...process.execArgv.filter((flag) => flag !== '--test'),
    '--test-reporter=tap',
    file,
  ];
  const { status, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  assert.equal(status, 1, stdout);
  assert.match(stdout, /not ok \d+ - storage contract: drops one event/);
  assert.match(stdout, /not ok \d+ - a feed from every retained revision/);
  assert.match(stdout, / ok \d+ - revisions grow with every commit/);
});
