/** Upstream's own end-to-end suite: no spec that passed on ours may be lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGateway } from '../../test/aggregator/gateway-program.ts';
import { progress, requireProgram } from '../../test/harness/index.ts';
import { peerVersion } from '../peers/peers.ts';
import { environments, startOurs } from './environments.ts';
import { runSpecs } from './run-specs.ts';
import { compareResults, readSpecList, specsOf } from './spec-list.ts';

test('the list is of the release that judges', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  assert.equal(readSpecList().release, peerVersion('kube-apiserver'));
});

for (const environment of environments) {
  test(`no spec of the end-to-end suite is lost: ${environment}`, async (t) => {
    if ((await requireProgram(t, 'go')) === undefined) return;
    const list = readSpecList();
    const specs = specsOf(list, environment);
    const kubeconfig = await startOurs(t, environment);
    const results = await runSpecs(t, { kubeconfig, specs, log: progress });
    const { lost } = compareResults(list, environment, { specs, results });
    assert.deepEqual(lost, []);
  });
}

test('a control plane that collects no garbage loses a spec', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const list = readSpecList();
  const specs = specsOf(list, 'alone').filter((name) =>
    name.includes('should support cascading deletion of custom resources'),
  );
  const { kubeconfig } = await startGateway(t, ['--controllers=*,-garbage-collector-controller']);
  const results = await runSpecs(t, { kubeconfig, specs });
  const { lost } = compareResults(list, 'alone', { specs, results });
  assert.deepEqual(
    lost.map(({ name }) => name),
    specs,
  );
  assert.equal(specs.length, 1);
});
