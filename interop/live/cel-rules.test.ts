/** The recorded results of rules are still those of the real server. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createScope } from '../../test/harness/index.ts';
import { askServer } from '../cel/rules/ask-server.ts';
import { readRecordedVerdicts } from '../cel/rules/recorded-verdicts.ts';
import type { Verdict } from '../cel/rules/verdict.ts';
import { type ReferenceStack, startReferenceStack } from '../stack.ts';

suite('rules of custom resources on the real server', () => {
  const scope = createScope('rules');
  let stack: ReferenceStack;
  before(async () => {
    stack = await startReferenceStack({ scope });
  });
  after(async () => {
    await stack.stop();
    await scope.close();
  });

  test('objects and schemas are judged as recorded', async () => {
    const recorded = readRecordedVerdicts();
    assert.equal(stack.versions.kubeApiserver, recorded.version);
    const { scenarios, problems } = await askServer(stack.kubeApiserver);
    assert.deepEqual(changed(scenarios, recorded.scenarios), [], 'run: npm run record:cel');
    assert.deepEqual(changed(problems, recorded.problems), [], 'run: npm run record:cel');
  });
});

type Verdicts = Readonly<Record<string, Verdict>>;

function changed(found: Verdicts, recorded: Verdicts): string[] {
  return Object.entries(found)
    .filter(([name, verdict]) => !isDeepStrictEqual(verdict, recorded[name]))
    .map(([name, verdict]) => `${name}: ${JSON.stringify(verdict)}`);
}
