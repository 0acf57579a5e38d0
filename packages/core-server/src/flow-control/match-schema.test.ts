import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResourcePolicyRule, Subject } from '@tributary/api/flowcontrol-v1';
import type { AccessInfo, UserInfo } from '@tributary/server';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { matchesSchema } from './match-schema.ts';
import { byPrecedence } from './precedence.ts';

const user = (name: string, ...groups: string[]): UserInfo => ({
  name,
  uid: '',
  groups,
  extra: {},
});
const nothing = { version: 'v1', name: '', fieldSelector: '', labelSelector: '', path: '' };
const resource = (
  verb: string,
  [group, name, subresource = '']: readonly [string, string, string?],
  namespace = '',
): AccessInfo => ({
  ...nothing,
  isResourceRequest: true,
  verb,
  group,
  resource: name,
  subresource,
  namespace,
});
const path = (verb: string, target: string): AccessInfo => ({
  ...resource(verb, ['', '']),
  isResourceRequest: false,
  path: target,
});

const everything: ResourcePolicyRule = {
  verbs: ['*'],
  apiGroups: ['*'],
  resources: ['*'],
  clusterScope: true,
  namespaces: ['*'],
};
const pods = resource('get', ['', 'pods'], 'eu');

const subjects: readonly [string, Subject, UserInfo, boolean][] = [
  ['a user', { kind: 'User', user: { name: 'a' } }, user('a'), true],
  ['another user', { kind: 'User', user: { name: 'a' } }, user('b'), false],
  ['all users', { kind: 'User', user: { name: '*' } }, user('b'), true],
  ['no user', { kind: 'User' }, user('b'), false],
  ['a group', { kind: 'Group', group: { name: 'g' } }, user('b', 'f', 'g'), true],
  ['another group', { kind: 'Group', group: { name: 'g' } }, user('g', 'f'), false],
  ['all groups', { kind: 'Group', group: { name: '*' } }, user('b'), true],
  [
    'a service account',
    { kind: 'ServiceAccount', serviceAccount: { namespace: 'n', name: 'a' } },
    user('system:serviceaccount:n:a'),
    true,
  ],
  [
    'a service account of another namespace',
    { kind: 'ServiceAccount', serviceAccount: { namespace: 'n', name: 'a' } },
    user('system:serviceaccount:m:a'),
    false,
  ],
  [
    'all service accounts of a namespace',
    { kind: 'ServiceAccount', serviceAccount: { namespace: 'n', name: '*' } },
    user('system:serviceaccount:n:x'),
    true,
  ],
  [
    'a namespace with the same prefix',
    { kind: 'ServiceAccount', serviceAccount: { namespace: 'n', name: '*' } },
    user('system:serviceaccount:nn:x'),
    false,
  ],
  ['another kind', { kind: 'Robot', user: { name: '*' } }, user('a'), false],
];
for (const [name, subject, who, want] of subjects) {
  test(`subject: ${name}`, () => {
    const spec = { rules: [{ subjects: [subject], resourceRules: [everything] }] };
    assert.equal(matchesSchema(spec, who, pods), want);
  });
}

const rules: readonly [string, Partial<ResourcePolicyRule>, AccessInfo, boolean][] = [
  ['everything', {}, pods, true],
  ['a verb', { verbs: ['list', 'get'] }, pods, true],
  ['another verb', { verbs: ['list'] }, pods, false],
  ['a wildcard beside other verbs is compared literally', { verbs: ['list', '*'] }, pods, false],
  ['a resource', { resources: ['pods'] }, pods, true],
  [
    'a resource without its subresource',
    { resources: ['pods'] },
    resource('get', ['', 'pods', 'log'], 'eu'),
    false,
  ],
  ['a subresource', { resources: ['pods/log'] }, resource('get', ['', 'pods', 'log'], 'eu'), true],
  ['another group', { apiGroups: ['apps'] }, pods, false],
  ['a namespace', { namespaces: ['eu'] }, pods, true],
  ['another namespace', { namespaces: ['us'] }, pods, false],
  ['cluster scope excluded', { clusterScope: false }, resource('list', ['', 'pods']), false],
  ['cluster scope only', { namespaces: [] }, resource('list', ['', 'pods']), true],
  ['no namespaces', { namespaces: [] }, pods, false],
];
for (const [name, rule, info, want] of rules) {
  test(`rule: ${name}`, () => {
    const subject = { kind: 'Group', group: { name: '*' } };
    const spec = { rules: [{ subjects: [subject], resourceRules: [{ ...everything, ...rule }] }] };
    assert.equal(matchesSchema(spec, user('a'), info), want);
  });
}

const paths: readonly [url: string, path: string, want: boolean][] = [
  ['*', '/x', true],
  ['/x', '/x', true],
  ['/x', '/xy', false],
  ['/x', '/x/y', true],
  ['/x/*', '/x/y/z', true],
  ['/x/*', '/x', false],
  ['/', '/x', true],
];
for (const [url, target, want] of paths) {
  test(`the path ${url} ${want ? 'covers' : 'does not cover'} ${target}`, () => {
    const subject = { kind: 'User', user: { name: '*' } };
    const rule = { verbs: ['get'], nonResourceURLs: [url] };
    const spec = { rules: [{ subjects: [subject], nonResourceRules: [rule] }] };
    assert.equal(matchesSchema(spec, user('a'), path('get', target)), want);
    assert.equal(matchesSchema(spec, user('a'), path('post', target)), false);
  });
}

const known = 'system:authenticated';
const account = (namespace: string, name: string) =>
  user(
    `system:serviceaccount:${namespace}:${name}`,
    'system:serviceaccounts',
    `system:serviceaccounts:${namespace}`,
    known,
  );
const bootstrap: readonly [string, UserInfo, AccessInfo][] = [
  ['exempt', user('root', 'system:masters', known), pods],
  ['exempt', user('root', 'system:masters', known), path('get', '/metrics')],
  ['probes', user('system:anonymous', 'system:unauthenticated'), path('get', '/readyz')],
  ['probes', user('system:anonymous', 'system:unauthenticated'), path('get', '/livez/ping')],
  [
    'system-leader-election',
    user('system:kube-scheduler', known),
    resource('update', ['coordination.k8s.io', 'leases'], 'kube-system'),
  ],
  [
    'system-leader-election',
    account('kube-system', 'x'),
    resource('get', ['coordination.k8s.io', 'leases'], 'kube-system'),
  ],
  ['system-nodes', user('system:node:a', 'system:nodes', known), pods],
  [
    'system-node-high',
    user('system:node:a', 'system:nodes', known),
    resource('update', ['', 'nodes', 'status']),
  ],
  ['kube-controller-manager', user('system:kube-controller-manager', known), pods],
  ['kube-scheduler', user('system:kube-scheduler', known), pods],
  ['kube-system-service-accounts', account('kube-system', 'x'), pods],
  ['service-accounts', account('eu', 'x'), pods],
  ['global-default', user('mary', known), pods],
  ['global-default', user('system:anonymous', 'system:unauthenticated'), pods],
  ['global-default', user('mary', known), path('get', '/apis')],
];
for (const [want, who, info] of bootstrap) {
  test(`bootstrap: ${who.name} ${info.verb} ${info.resource || info.path} is ${want}`, () => {
    const schemas = [...bootstrapObjects().schemas].sort(byPrecedence);
    const found = schemas.find(({ spec }) => matchesSchema(spec, who, info));
    assert.equal(found?.metadata.name, want);
  });
}
