/** The recorded flow schemas and priority levels are still those of the original. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import {
  classificationRows,
  classifiedAs,
} from '../../packages/core-server/test/classification-rows.ts';
import { createScope } from '../../test/harness/index.ts';
import { objectsModule, renderObjectsModule } from '../flow-control/objects-module.ts';
import { readOriginalObjects } from '../flow-control/original-objects.ts';
import { type ReferenceStack, startReferenceStack } from '../stack.ts';

suite('flow control of the original', () => {
  const scope = createScope('flow control');
  let stack: ReferenceStack;

  before(async () => {
    stack = await startReferenceStack({ scope });
  });
  after(async () => {
    await stack.stop();
    await scope.close();
  });

  test('the objects that it begins with are the recorded ones', async () => {
    const objects = await readOriginalObjects(stack.kubeApiserver);
    const rendered = renderObjectsModule(objects, stack.versions.kubeApiserver);
    assert.equal(
      rendered,
      await readFile(objectsModule, 'utf8'),
      'run: npm run record:flow-control',
    );
  });

  test('it classifies requests as the table says', async () => {
    const { url, ca, admin } = stack.kubeApiserver;
    const wrong: string[] = [];
    for (const row of classificationRows) {
      const found = await classifiedAs({ url, ca, ...admin }, row);
      if (found !== row.schema) wrong.push(`${JSON.stringify(row)}: ${found}`);
    }
    assert.deepEqual(wrong, []);
  });
});
