import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  anyKubectl,
  missingMessage,
  skipOrFail,
  temporaryDirectory,
} from '../../../test/harness/index.ts';
import { walk } from '../../../test/walkthrough.ts';

const sample = join(import.meta.dirname, '..');

test('the walk-through does what it says', async (t) => {
  const kubectl = await anyKubectl();
  if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
  const folder = await temporaryDirectory(t);
  await symlink(join(sample, '..'), join(folder, 'samples'));
  await walk(t, await readFile(join(sample, 'README.md'), 'utf8'), {
    folder,
    kubectl,
    // The test runs the sources, or what was built before.
    isDone: (line) => line === 'npm run build',
    server: (line) =>
      line === 'node samples/wardle/bin/wardle-apiserver.js'
        ? {
            command: process.execPath,
            args: [join(sample, 'bin/wardle-apiserver.js'), '--secure-port=0'],
          }
        : undefined,
  });
});
