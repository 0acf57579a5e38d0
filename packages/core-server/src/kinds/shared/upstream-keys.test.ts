import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upstreamKeyPrefix } from './upstream-keys.ts';

const cases = [
  { group: '', resource: 'configmaps', want: '/registry/configmaps/' },
  { group: '', resource: 'services', want: '/registry/services/specs/' },
  { group: '', resource: 'nodes', want: '/registry/minions/' },
  { group: 'apps', resource: 'deployments', want: '/registry/deployments/' },
  { group: 'networking.k8s.io', resource: 'ingresses', want: '/registry/ingress/' },
  { group: 'other.k8s.io', resource: 'services', want: '/registry/services/' },
];
for (const { group, resource, want } of cases) {
  test(`${resource} of the group "${group}" have the key prefix ${want}`, () => {
    assert.equal(upstreamKeyPrefix({ group, resource }), want);
  });
}
