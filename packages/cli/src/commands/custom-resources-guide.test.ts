/** Runs docs/guides/custom-resources.md as a reader does. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  anyKubectl,
  missingMessage,
  runSource,
  skipOrFail,
  temporaryDirectory,
} from '../../../../test/harness/index.ts';
import { npxTributary, walk } from '../../../../test/walkthrough.ts';

const root = join(import.meta.dirname, '../../../..');

test('the commands of the guide work, one after the other', async (t) => {
  const kubectl = await anyKubectl();
  if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
  const page = await readFile(join(root, 'docs/guides/custom-resources.md'), 'utf8');
  const { command, args } = runSource(join(root, 'packages/cli/src/main.ts'));
  await walk(t, page, {
    folder: await temporaryDirectory(t),
    kubectl,
    programs: { npx: npxTributary() },
    isDone: () => false,
    server: (line) =>
      line === 'npx tributary up'
        ? { command, args: [...args, 'up', '--secure-port=0'] }
        : undefined,
  });
});
