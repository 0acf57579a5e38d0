/** The releases of kubectl between the oldest and the newest at hand, which every ordinary run has. */
import { test } from 'node:test';
import { missingMessage, skipOrFail } from '../../test/harness/index.ts';
import { kubectlVersions, outerReleases } from '../../test/harness/kubectl.ts';
import { coreSuite } from '../../test/kubectl/core-suite.ts';
import { sampleSuite } from '../../test/kubectl/sample-suite.ts';

const outer = (await outerReleases()).map(({ version }) => version);
const between = (await kubectlVersions()).filter(({ version }) => !outer.includes(version));

test('there are some', (t) => {
  if (between.length === 0) skipOrFail(t, missingMessage('go'));
});

if (between.length > 0) {
  sampleSuite(between);
  await coreSuite(between);
}
