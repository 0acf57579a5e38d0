import { test } from 'node:test';
import { peerPath } from '../../interop/peers/peers.ts';
import { findOrInstall, missingMessage, skipOrFail } from '../harness/index.ts';
import { kubectlVersions, newestRelease } from '../harness/kubectl.ts';
import { sampleSuite } from './sample-suite.ts';

test('there is at least one kubectl', async (t) => {
  if ((await kubectlVersions()).length === 0)
    skipOrFail(t, 'kubectl: install the package kubernetes-client');
});

test('kubectl of a middle and of the current release are built', async (t) => {
  if (peerPath('kubectl') !== undefined && peerPath('kubectl-middle') !== undefined) return;
  const hasGo = (await findOrInstall('go')) !== undefined;
  const unbuilt = 'two releases of kubectl are not built; build them with: npm run peers';
  skipOrFail(t, hasGo ? unbuilt : missingMessage('go'));
});

// The others are in interop/live/kubectl-others.test.ts.
sampleSuite(await newestRelease());
