import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compareKubeVersions,
  formatGroupVersion,
  parseGroupVersion,
  qualifiedKind,
  qualifiedResource,
} from './group-version.ts';

/** A positive result means that `a` has priority. */
const comparisons = [
  { name: 'v2 and v1', a: 'v2', b: 'v1', want: 1 },
  { name: 'v1 and v1beta2', a: 'v1', b: 'v1beta2', want: 1 },
  { name: 'v1beta2 and v1beta1', a: 'v1beta2', b: 'v1beta1', want: 1 },
  { name: 'v1beta1 and v1alpha1', a: 'v1beta1', b: 'v1alpha1', want: 1 },
  { name: 'v1alpha1 and foo', a: 'v1alpha1', b: 'foo', want: 1 },
  { name: 'v10 and v9', a: 'v10', b: 'v9', want: 1 },
  { name: 'v1beta10 and v1beta9', a: 'v1beta10', b: 'v1beta9', want: 1 },
  { name: 'v2alpha1 and v1alpha2', a: 'v2alpha1', b: 'v1alpha2', want: 1 },
  { name: 'v1 and v1', a: 'v1', b: 'v1', want: 0 },
  { name: 'bar and foo', a: 'bar', b: 'foo', want: 1 },
  { name: 'v1beta and v1', a: 'v1beta', b: 'v1', want: -1 },
  { name: 'v1 and V2', a: 'v1', b: 'V2', want: 1 },
  { name: 'v0 and v1beta1', a: 'v0', b: 'v1beta1', want: 1 },
];
for (const { name, a, b, want } of comparisons) {
  test(`priority: ${name}`, () => {
    assert.equal(Math.sign(compareKubeVersions(b, a)), want);
    assert.equal(Math.sign(compareKubeVersions(a, b)), want === 0 ? 0 : -want);
  });
}

const groupVersions = [
  { name: 'the core group', input: 'v1', want: { group: '', version: 'v1' } },
  { name: 'a group', input: 'apps/v1', want: { group: 'apps', version: 'v1' } },
  { name: 'empty', input: '', want: { group: '', version: '' } },
  { name: 'no version', input: 'apps/', want: { group: 'apps', version: '' } },
  { name: 'two slashes', input: 'a/b/c', want: undefined },
];
for (const { name, input, want } of groupVersions) {
  test(`parseGroupVersion: ${name}`, () => assert.deepEqual(parseGroupVersion(input), want));
}

test('names in the core group have no group suffix', () => {
  assert.equal(formatGroupVersion({ group: '', version: 'v1' }), 'v1');
  assert.equal(qualifiedResource({ group: '', resource: 'pods' }), 'pods');
  assert.equal(qualifiedKind({ group: '', kind: 'Pod' }), 'Pod');
});

test('names in other groups have a group suffix', () => {
  assert.equal(formatGroupVersion({ group: 'apps', version: 'v1' }), 'apps/v1');
  assert.equal(qualifiedResource({ group: 'apps', resource: 'deployments' }), 'deployments.apps');
  assert.equal(qualifiedKind({ group: 'apps', kind: 'Deployment' }), 'Deployment.apps');
});

test('sorting puts the preferred version first', () => {
  const versions = ['foo1', 'v1alpha1', 'v11beta2', 'v2', 'v1', 'v3beta1', 'v12alpha1', 'v10'];
  assert.deepEqual(
    versions.sort(compareKubeVersions).join(' '),
    'v10 v2 v1 v11beta2 v3beta1 v12alpha1 v1alpha1 foo1',
  );
});
