import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registration } from '../../test/proxy-fixture.ts';
import { registrationOf } from './find-registration.ts';

const known = [
  registration(),
  registration({ name: 'v1.', group: '', version: 'v1' }),
  registration({ name: 'v1.local.example.com', group: 'local.example.com', remote: undefined }),
  registration({
    name: 'v1.apiregistration.k8s.io',
    group: 'apiregistration.k8s.io',
    version: 'v1',
  }),
];
const snapshot = {
  byGroupVersion: (group: string, version: string) =>
    known.find((one) => one.group === group && one.version === version),
};

const cases = [
  { path: '/apis/wardle.example.com/v1alpha1', name: 'v1alpha1.wardle.example.com' },
  { path: '/apis/wardle.example.com/v1alpha1/', name: 'v1alpha1.wardle.example.com' },
  { path: '/apis/wardle.example.com/v1alpha1/a/b/c', name: 'v1alpha1.wardle.example.com' },
  { path: '/apis/wardle.example.com/v1alpha10', name: undefined },
  { path: '/apis/wardle.example.com/v2', name: undefined },
  { path: '/apis/wardle.example.com', name: undefined },
  { path: '/apis/wardle.example.com/', name: undefined },
  { path: '/apis//v1', name: undefined },
  { path: '//apis/wardle.example.com/v1alpha1', name: undefined },
  { path: '/apis', name: undefined },
  { path: '/api', name: 'v1.' },
  { path: '/api/', name: 'v1.' },
  { path: '/api/v1/pods', name: 'v1.' },
  { path: '/apix', name: undefined },
  { path: '/apis/local.example.com/v1alpha1/x', name: undefined },
  { path: '/apis/apiregistration.k8s.io/v1/apiservices', name: undefined },
];
for (const { path, name } of cases) {
  test(`${path} belongs to ${name ?? 'nobody else'}`, () => {
    assert.equal(registrationOf(snapshot, path)?.name, name);
  });
}
