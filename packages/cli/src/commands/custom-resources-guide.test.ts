/** Runs docs/guides/custom-resources.md as a reader does. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { walkControlPlane } from '../../../../test/walk-control-plane.ts';

const guide = join(import.meta.dirname, '../../../../docs/guides/custom-resources.md');

test('the commands of the guide work, one after the other', async (t) => {
  await walkControlPlane(t, await readFile(guide, 'utf8'));
});
