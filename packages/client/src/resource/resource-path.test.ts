import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ResourceLocation, resourcePath } from './resource-path.ts';

const pods = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };

const cases: { type: typeof pods; location: ResourceLocation; path: string }[] = [
  { type: pods, location: {}, path: '/api/v1/pods' },
  { type: pods, location: { namespace: 'eu' }, path: '/api/v1/namespaces/eu/pods' },
  {
    type: deployments,
    location: { namespace: 'eu', name: 'web', subresource: 'status' },
    path: '/apis/apps/v1/namespaces/eu/deployments/web/status',
  },
  {
    type: pods,
    location: { namespace: 'eu', name: 'web', subresource: 'proxy/a b' },
    path: '/api/v1/namespaces/eu/pods/web/proxy/a%20b',
  },
  {
    type: pods,
    location: { namespace: 'eu', name: 'system:admin?x#y' },
    path: '/api/v1/namespaces/eu/pods/system%3Aadmin%3Fx%23y',
  },
];
for (const { type, location, path } of cases) {
  test(path, () => assert.equal(resourcePath(type, location), path));
}

for (const bad of ['', '.', '..', 'a/b', '../../secrets']) {
  test(`${JSON.stringify(bad)} is no valid path segment`, () => {
    assert.throws(() => resourcePath(pods, { namespace: 'eu', name: bad }), TypeError);
    assert.throws(() => resourcePath(pods, { namespace: bad }), TypeError);
  });
}
