import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeEvent, Revision, Stored } from '@tributary/storage';
import fc from 'fast-check';
import { BytePacker } from './byte-packer.ts';
import { packEvents, packStored, unpackEvents, unpackStored } from './columns.ts';

const revisions = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((at) => at as Revision);
const values = fc.uint8Array({ maxLength: 50 });
const someStored = fc.record({ key: fc.string(), revision: revisions, value: values });
const someEvents = fc.oneof(
  fc.tuple(someStored, fc.option(fc.tuple(revisions, values), { nil: undefined })).map(
    ([{ key, revision, value }, before]): ChangeEvent => ({
      kind: 'put',
      key,
      revision,
      value,
      previous: before && { key, revision: before[0], value: before[1] },
    }),
  ),
  fc.tuple(someStored, revisions).map(
    ([previous, revision]): ChangeEvent => ({
      kind: 'delete',
      key: previous.key,
      revision,
      previous,
    }),
  ),
);

/** Bytes in a form that compares by content, whatever buffer they are in. */
function plain(value: Stored | ChangeEvent): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, inner) =>
      inner instanceof Uint8Array ? Buffer.from(inner).toString('hex') : inner,
    ),
  );
}

test('values and events are the same after packing and unpacking', () => {
  fc.assert(
    fc.property(fc.array(someStored), fc.array(someEvents), (stored, events) => {
      const packer = new BytePacker();
      const storedColumns = packStored(stored, packer);
      const eventColumns = packEvents(events, packer);
      const buffers = packer.finish();
      assert.deepEqual(unpackStored(storedColumns, buffers).map(plain), stored.map(plain));
      assert.deepEqual(unpackEvents(eventColumns, buffers).map(plain), events.map(plain));
    }),
  );
});
