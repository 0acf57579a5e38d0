import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isKubernetes } from './local-api.ts';
import { isLocalPath, mayChangeDiscovery } from './local-paths.ts';

const paths = [
  { path: '/apis/apiregistration.k8s.io', own: true },
  { path: '/apis/apiregistration.k8s.io/v1/apiservices/a', own: true },
  { path: '/apis/apiregistration.k8s.io.example.com/v1', own: false },
  { path: '/healthz', own: true },
  { path: '/readyz/ping', own: true },
  { path: '/metrics', own: true },
  { path: '/metricsx', own: false },
  { path: '/apis', own: false },
  { path: '/api/v1/namespaces/healthz', own: false },
  { path: '/version', own: false },
  { path: '/', own: false },
];
for (const { path, own } of paths) {
  test(`${path} is ${own ? 'ours' : 'not ours'}`, () => assert.equal(isLocalPath(path), own));
}

const writes = [
  { method: 'POST', group: 'apiextensions.k8s.io', status: 201, want: true },
  { method: 'DELETE', group: 'apiextensions.k8s.io', status: 200, want: true },
  { method: 'POST', group: 'apiextensions.k8s.io', status: 403, want: false },
  { method: 'GET', group: 'apiextensions.k8s.io', status: 200, want: false },
  { method: 'POST', group: 'apps', status: 201, want: false },
];
for (const { method, group, status, want } of writes) {
  test(`${method} of ${group} answered ${status} changes lists: ${want}`, () => {
    assert.equal(mayChangeDiscovery({ method, info: { group } as never }, status), want);
  });
}

const groups = [
  { group: 'apps', want: true },
  { group: 'rbac.authorization.k8s.io', want: true },
  { group: 'wardle.example.com', want: false },
  { group: 'k8s.io.example.com', want: false },
];
for (const { group, want } of groups) {
  test(`${group} is Kubernetes' own: ${want}`, () => assert.equal(isKubernetes(group), want));
}
