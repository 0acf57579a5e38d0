/** SelfSubjectRulesReview in each authorization mode, compared with kube-apiserver 1.36.3. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '@tributary/apimachinery';
import type { Authorizer } from '@tributary/server';
import type { CoreServerConfig } from '../src/assembly/core-config.ts';
import { startTestCore } from './core-fixture.ts';

const PATH = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
const undecided: Authorizer = () => ({ allowed: false });
const allows: Authorizer = () => ({ allowed: true });
const WEBHOOK = 'webhook authorizer does not support user rule resolution';
const EVERYTHING = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
};

const cases: readonly {
  readonly name: string;
  readonly config: Pick<CoreServerConfig, 'authorizationModes' | 'authorizationWebhook'>;
  readonly want: object;
  /** Whether rules of roles are listed too. */
  readonly hasRoles?: boolean;
}[] = [
  { name: 'roles', config: {}, want: { incomplete: false }, hasRoles: true },
  {
    name: 'roles and a webhook',
    config: { authorizationModes: ['RBAC', 'Webhook'], authorizationWebhook: undecided },
    want: { incomplete: true, evaluationError: WEBHOOK },
    hasRoles: true,
  },
  {
    name: 'a webhook alone',
    config: { authorizationModes: ['Webhook'], authorizationWebhook: allows },
    want: { resourceRules: [], nonResourceRules: [], incomplete: true, evaluationError: WEBHOOK },
  },
  {
    name: 'AlwaysAllow',
    config: { authorizationModes: ['AlwaysAllow'] },
    want: EVERYTHING,
  },
];

for (const { name, config, want, hasRoles = false } of cases) {
  test(`SelfSubjectRulesReview with ${name}`, async () => {
    await using core = await startTestCore({ config });
    const { body } = await core.admin.transport.request('POST', PATH, {
      headers: { 'content-type': 'application/json', 'impersonate-user': 'eve' },
      body: JSON.stringify({ spec: { namespace: 'default' } }),
    });
    const { status } = parseJson(body) as { status: { resourceRules: readonly object[] } };
    if (!hasRoles) return assert.deepEqual(status, want);
    assert.ok(status.resourceRules.length > 0);
    const { resourceRules: _, nonResourceRules: __, ...rest } = status as Record<string, unknown>;
    assert.deepEqual(rest, want);
  });
}
