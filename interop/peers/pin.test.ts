import assert from 'node:assert/strict';
import test from 'node:test';
import { requiredVersion } from './go-mod.ts';
import { e2eGoMod, etcdGoMod, helmGoMod, kubectlGoMod, kubernetesGoMod } from './pin.ts';

const upstream = `module k8s.io/kubernetes

require (
	github.com/spf13/cobra v1.10.2
	k8s.io/api v0.0.0
	k8s.io/sample-apiserver v0.0.0
)

replace k8s.io/api => ./staging/src/k8s.io/api
`;

for (const goModOf of [kubernetesGoMod, e2eGoMod]) {
  test(`${goModOf.name} replaces every unpublished requirement by the same release`, () => {
    const goMod = goModOf('v1.40.2', upstream);
    assert.equal(requiredVersion(goMod, 'k8s.io/kubernetes'), 'v1.40.2');
    assert.match(
      goMod,
      /replace \(\n\tk8s.io\/api => k8s.io\/api v0.40.2\n\tk8s.io\/sample-apiserver => k8s.io\/sample-apiserver v0.40.2\n\)/,
    );
    assert.ok(!goMod.includes('cobra'));
  });
}

test('the other modules require one release', () => {
  assert.equal(requiredVersion(etcdGoMod('v3.9.9'), 'go.etcd.io/etcd/server/v3'), 'v3.9.9');
  assert.equal(requiredVersion(kubectlGoMod('v1.30.1'), 'k8s.io/kubectl'), 'v0.30.1');
  const helm = helmGoMod('v3.99.1', 'v1.40.2');
  assert.equal(requiredVersion(helm, 'helm.sh/helm/v3'), 'v3.99.1');
  assert.equal(requiredVersion(helm, 'k8s.io/client-go'), 'v0.40.2');
});
