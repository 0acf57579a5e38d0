import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  binding,
  clusterBinding,
  clusterRole,
  person,
  role,
  rule,
  user,
} from '../../test/policy-fixture.ts';
import { webhookRules } from '../authorization/webhook-authorizer.ts';
import { RbacIndex } from './rbac-index.ts';
import { rbacRules, rulesReviewStatus, unionRules } from './rules-listing.ts';

const podRule = rule(['get'], [''], ['pods']);
const index = new RbacIndex();
index.put(
  'clusterroles',
  clusterRole('mixed', podRule, { verbs: ['get'], nonResourceURLs: ['/x'] }),
);
index.put(
  'clusterroles',
  clusterRole('named', { ...podRule, resourceNames: ['a'] }, { verbs: ['get'] }),
);
index.put('roles', role('eu', 'local', podRule, { ...podRule, apiGroups: [] }));
index.put('clusterrolebindings', clusterBinding('z', 'named', user('u')));
index.put('clusterrolebindings', clusterBinding('a', 'mixed', user('u'), user('u')));
index.put('rolebindings', binding('eu', 'a', { kind: 'Role', name: 'local' }, user('u')));
index.put('rolebindings', binding('eu', 'b', { kind: 'Role', name: 'gone' }, user('u')));
index.put('rolebindings', binding('eu', 'c', { kind: 'Role', name: 'gone' }, user('u')));

const namedRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] };
const cases = [
  {
    name: 'rules of the cluster come by the name of their binding, repeats included, then those of the namespace',
    namespace: 'eu',
    resolve: rbacRules(index),
    want: {
      resourceRules: [podRule, namedRule, podRule, { verbs: ['get'], resources: ['pods'] }],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
      incomplete: false,
      evaluationError: 'role.rbac.authorization.k8s.io "gone" not found',
    },
  },
  {
    name: 'rules of other namespaces are not listed',
    namespace: 'us',
    resolve: rbacRules(index),
    want: {
      resourceRules: [podRule, namedRule],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
      incomplete: false,
    },
  },
  {
    name: 'no resolvers list no rules',
    namespace: 'us',
    resolve: unionRules([]),
    want: { resourceRules: [], nonResourceRules: [], incomplete: false },
  },
  {
    name: 'a webhook makes the listing incomplete',
    namespace: 'eu',
    resolve: unionRules([rbacRules(new RbacIndex()), webhookRules]),
    want: {
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    },
  },
  {
    name: 'errors of several resolvers are aggregated',
    namespace: 'eu',
    resolve: unionRules([webhookRules, rbacRules(index)]),
    want: {
      resourceRules: [podRule, namedRule, podRule, { verbs: ['get'], resources: ['pods'] }],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
      incomplete: true,
      evaluationError:
        '[webhook authorizer does not support user rule resolution, role.rbac.authorization.k8s.io "gone" not found]',
    },
  },
];

for (const { name, namespace, resolve, want } of cases) {
  test(name, () => {
    assert.deepEqual(rulesReviewStatus(resolve(person('u'), namespace)), want);
  });
}
