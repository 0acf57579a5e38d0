/** The recorded roles of the original, and the expectations of the tables, still hold. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import { accessOf, permissionRows } from '../../packages/core-server/test/permission-rows.ts';
import { users } from '../../packages/core-server/test/policy-fixture.ts';
import { createScope } from '../../test/harness/index.ts';
import { policyCases } from '../core-policy/cases.ts';
import { givePolicy, originalResult, reviewAccess } from '../core-policy/original.ts';
import { readOriginalPolicy } from '../core-policy/original-policy.ts';
import { policyModule, renderPolicyModule } from '../core-policy/policy-module.ts';
import { readRecordedResponses } from '../core-policy/recorded-results.ts';
import { type ReferenceStack, startReferenceStack } from '../stack.ts';

suite('roles and bindings of the original', () => {
  const scope = createScope('core policy');
  let stack: ReferenceStack;

  before(async () => {
    stack = await startReferenceStack({ scope });
  });
  after(async () => {
    await stack.stop();
    await scope.close();
  });

  test('the bootstrap policy is the recorded one', async () => {
    const policy = await readOriginalPolicy(stack.kubeApiserver);
    const rendered = renderPolicyModule(policy, stack.versions.kubeApiserver);
    assert.equal(rendered, await readFile(policyModule, 'utf8'), 'run: npm run record:rbac');
  });

  test('it decides as the permission table says', async () => {
    await givePolicy(stack.kubeApiserver);
    const wrong: string[] = [];
    for (const row of permissionRows) {
      const { allowed, reason = '' } = await reviewAccess(
        stack.kubeApiserver,
        users[row.user],
        accessOf(row),
      );
      const wanted = row.want === 'no' ? '' : row.want;
      const wantAllowed = row.want === '' || row.want.startsWith('RBAC: allowed by');
      if (allowed === wantAllowed && sameReason(reason, wanted)) continue;
      wrong.push(`${JSON.stringify(row)}: ${allowed} ${reason}`);
    }
    assert.deepEqual(wrong, []);
  });

  test('it answers writes as recorded', async () => {
    const { responses } = readRecordedResponses();
    for (const one of policyCases) {
      assert.deepEqual(
        await originalResult(stack.kubeApiserver, one),
        responses[one.name],
        one.name,
      );
    }
  });
});

/** Its bindings have no order, so several roles that are gone may be named in any. */
function sameReason(a: string, b: string): boolean {
  const parts = (text: string): string =>
    text
      .split(/[[\],]+ ?/)
      .sort()
      .join();
  return a === b || (!a.startsWith('RBAC: allowed by') && parts(a) === parts(b));
}
