import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { convertedObjects, type Review, reviewBody, reviewVersionOf } from './conversion-review.ts';

const sent = (name: string) => ({
  apiVersion: 'g.example.com/v1',
  kind: 'Thing',
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, generation: 3, labels: { old: 'x' } },
  spec: { size: 1 },
});
const review: Review = {
  version: 'v1',
  uid: 'review',
  objects: [sent('a'), sent('b')],
  desired: 'g.example.com/v2',
};
const made = (name: string, more: object = {}, metadata: object = {}) => ({
  apiVersion: 'g.example.com/v2',
  kind: 'Thing',
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, ...metadata },
  spec: { length: 1 },
  ...more,
});
const responseOf = (objects: readonly unknown[], response: object = {}, more: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  response: {
    uid: 'review',
    result: { status: 'Success' },
    convertedObjects: objects,
    ...response,
  },
  ...more,
});
const both = [made('a'), made('b')];

test('a review has a request and an empty response', () => {
  assert.deepEqual(Object.keys(reviewBody(review)), ['kind', 'apiVersion', 'request', 'response']);
});

test('metadata is preserved except labels and annotations', () => {
  const changed = { labels: { fresh: 'y' }, finalizers: ['example.com/x'], generation: 99 };
  const [first, second] = convertedObjects(review, responseOf([made('a', {}, changed), made('b')]));
  assert.deepEqual(first?.metadata, {
    name: 'a',
    namespace: 'ns',
    uid: 'uid-a',
    generation: 3,
    labels: { fresh: 'y' },
  });
  assert.equal(second?.metadata.labels, undefined);
});

test('v1beta1 responses need no kind and no uid', () => {
  const said = { response: { result: { status: 'Success' }, convertedObjects: both } };
  assert.equal(convertedObjects({ ...review, version: 'v1beta1' }, said).length, 2);
});

describe('the first known review version is used', () => {
  test('v1beta1 before v1', () =>
    assert.equal(reviewVersionOf(['v9', 'v1beta1', 'v1']), 'v1beta1'));
  test('none', () =>
    assert.throws(() => reviewVersionOf(['v9']), /no supported conversion review/));
});

describe('invalid responses', () => {
  const rows: readonly [name: string, response: unknown, why: RegExp][] = [
    ['no object at all', 'text', /expected webhook response of .*, got \/, Kind=$/],
    ['no response', responseOf(both, {}, { response: null }), /failed: no response provided$/],
    ['another review', responseOf(both, { uid: 'x' }), /expected response\.uid="review", got "x"$/],
    [
      'no success',
      responseOf(both, { result: { status: 'No' } }),
      /status was 'No', not 'Success'$/,
    ],
    ['no success, with a message', responseOf([], { result: { message: 'why' } }), /failed: why$/],
    ['too few', responseOf([made('a')]), /returned 1 objects, expected 2$/],
    ['no list', responseOf([], { convertedObjects: 'x' }), /returned 0 objects, expected 2$/],
    ['swapped', responseOf([made('b'), made('a')]), /must have the same name: a != b$/],
    [
      'the second has another name',
      responseOf([made('a'), made('x')]),
      /must have the same name: b != x$/,
    ],
    [
      'another kind',
      responseOf([made('a', { kind: 'X' }), made('b')]),
      /invalid kind \(expected Thing/,
    ],
    ['the old version', responseOf([sent('a'), made('b')]), /at index 0: invalid groupVersion/],
    [
      'null',
      responseOf([null, made('b')]),
      /invalid groupVersion \(expected g.example.com\/v2, received \)/,
    ],
    [
      'labels as a list',
      responseOf([made('a', {}, { labels: [] }), made('b')]),
      /of type \[\]interface/,
    ],
    [
      'annotations that are not strings',
      responseOf([made('a', {}, { annotations: { k: true } }), made('b')]),
      /metadata\.annotations\[k\] must be a string, but is bool/,
    ],
  ];
  for (const [name, said, why] of rows) {
    test(name, () => assert.throws(() => convertedObjects(review, said), why));
  }
});
