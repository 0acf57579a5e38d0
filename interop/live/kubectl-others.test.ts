/** The releases of kubectl that an ordinary run leaves out: all but the newest. */
import { test } from 'node:test';
import { missingMessage, skipOrFail } from '../../test/harness/index.ts';
import { kubectlVersions } from '../../test/harness/kubectl.ts';
import { coreSuite } from '../../test/kubectl/core-suite.ts';
import { sampleSuite } from '../../test/kubectl/sample-suite.ts';

const others = (await kubectlVersions()).slice(0, -1);

test('there are some', (t) => {
  if (others.length < 2) skipOrFail(t, missingMessage('go'));
});

if (others.length > 0) {
  sampleSuite(others);
  await coreSuite(others);
}
