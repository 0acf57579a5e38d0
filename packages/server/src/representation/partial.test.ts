import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import {
  CREATED,
  jsonOf,
  PARTIAL,
  PARTIAL_LIST,
  readFixture,
  textOf,
} from '../../test/representation-fixture.ts';

const BETA = (accept: string) => accept.replace('v=v1', 'v=v1beta1');

for (const [accept, apiVersion] of [
  [PARTIAL, 'meta.k8s.io/v1'],
  [BETA(PARTIAL), 'meta.k8s.io/v1beta1'],
] as const) {
  test(`a PartialObjectMetadata in ${apiVersion} has the metadata of the object, byte for byte`, async () => {
    await using fixture = readFixture();
    await fixture.put('a', '"metadata":{"x":1}', '"annotations":{"n":"\\u0022}{\\\\","big":"é"}');
    assert.equal(
      textOf(await fixture.get('a', accept)),
      `{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":{"resourceVersion":"2","name":"a","namespace":"eu","creationTimestamp":"${CREATED}","annotations":{"n":"\\u0022}{\\\\","big":"é"}}}\n`,
    );
  });
}

test('a PartialObjectMetadataList keeps the metadata of the list', async () => {
  await using fixture = readFixture();
  await fixture.put('a');
  await fixture.put('b');
  const list = jsonOf(await fixture.list(PARTIAL_LIST, 'limit=1')) as {
    kind: string;
    metadata: Record<string, unknown>;
    items: { kind: string; metadata: { name: string }; spec?: unknown }[];
  };
  assert.equal(list.kind, 'PartialObjectMetadataList');
  assert.equal(list.metadata.remainingItemCount, 1);
  assert.deepEqual(
    list.items.map((item) => [item.kind, item.metadata.name, item.spec]),
    [['PartialObjectMetadata', 'a', undefined]],
  );
});

test('an empty PartialObjectMetadataList has null items', async () => {
  await using fixture = readFixture();
  assert.deepEqual((jsonOf(await fixture.list(PARTIAL_LIST)) as { items: unknown }).items, null);
});

test('an object as a list and a list as an object are not acceptable', async () => {
  await using fixture = readFixture();
  await fixture.put('a');
  await assert.rejects(
    fixture.list(PARTIAL),
    refused(
      'you requested PartialObjectMetadata, but the requested object is a list (*weather.ForecastList)',
    ),
  );
  await assert.rejects(
    fixture.get('a', PARTIAL_LIST),
    refused(
      'you requested PartialObjectMetadataList, but the requested object is not a list (*weather.Forecast)',
    ),
  );
});

test('a watch as PartialObjectMetadataList gets an error event', async () => {
  await using fixture = readFixture();
  await fixture.put('a');
  const [line] = await fixture.watch(1, PARTIAL_LIST);
  const { type, object } = JSON.parse(line ?? '');
  assert.deepEqual([type, object.kind, object.code], ['ERROR', 'Status', 406]);
});

test('a watch as PartialObjectMetadata has metadata in its events, and annotations in its bookmarks', async () => {
  await using fixture = readFixture();
  await fixture.put('a');
  const lines = await fixture.watch(2, PARTIAL, 'resourceVersion=0&allowWatchBookmarks=1');
  const [added, bookmark] = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    [added.type, added.object.kind, added.object.spec],
    ['ADDED', 'PartialObjectMetadata', undefined],
  );
  assert.deepEqual(bookmark, {
    type: 'BOOKMARK',
    object: {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '2', annotations: { 'k8s.io/initial-events-end': 'true' } },
    },
  });
});

function refused(message: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof StatusError);
    assert.deepEqual([error.code, error.message], [406, message]);
    return true;
  };
}
