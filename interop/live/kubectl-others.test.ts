/** The releases of kubectl that an ordinary run leaves out. */
import { test } from 'node:test';
import { missingMessage, skipOrFail } from '../../test/harness/index.ts';
import { kubectlVersions, newestRelease, outerReleases } from '../../test/harness/kubectl.ts';
import { coreSuite } from '../../test/kubectl/core-suite.ts';
import { sampleSuite } from '../../test/kubectl/sample-suite.ts';

const allBut = async (those: typeof outerReleases) => {
  const left = (await those()).map(({ version }) => version);
  return (await kubectlVersions()).filter(({ version }) => !left.includes(version));
};
const between = await allBut(outerReleases);
const older = await allBut(newestRelease);

test('there are some', (t) => {
  if (between.length === 0) skipOrFail(t, missingMessage('go'));
});

if (between.length > 0) sampleSuite(between);
if (older.length > 0) await coreSuite(older);
