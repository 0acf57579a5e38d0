/** The recorded audit log of the original is still what it writes. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { eventsFile, originalEvents, renderEvents } from '../audit/original-events.ts';

test('the original writes the recorded audit events', async () => {
  const rendered = renderEvents(await originalEvents());
  assert.equal(rendered, await readFile(eventsFile, 'utf8'), 'run: npm run record:audit');
});
