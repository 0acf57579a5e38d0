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
const answer = (objects: readonly unknown[], response: object = {}, more: object = {}) => ({
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

test('a question names the version and the objects', () => {
  assert.deepEqual(Object.keys(reviewBody(review)), ['kind', 'apiVersion', 'request', 'response']);
});

test('metadata stays as it was, apart from labels and annotations', () => {
  const changed = { labels: { fresh: 'y' }, finalizers: ['example.com/x'], generation: 99 };
  const [first, second] = convertedObjects(review, answer([made('a', {}, changed), made('b')]));
  assert.deepEqual(first?.metadata, {
    name: 'a',
    namespace: 'ns',
    uid: 'uid-a',
    generation: 3,
    labels: { fresh: 'y' },
  });
  assert.equal(second?.metadata.labels, undefined);
});

test('the older reviews are believed without a name and a number', () => {
  const said = { response: { result: { status: 'Success' }, convertedObjects: both } };
  assert.equal(convertedObjects({ ...review, version: 'v1beta1' }, said).length, 2);
});

describe('the first known version of reviews is spoken', () => {
  test('v1beta1 before v1', () =>
    assert.equal(reviewVersionOf(['v9', 'v1beta1', 'v1']), 'v1beta1'));
  test('none', () =>
    assert.throws(() => reviewVersionOf(['v9']), /no supported conversion review/));
});

describe('a lie is refused', () => {
  const rows: readonly [name: string, answer: unknown, why: RegExp][] = [
    ['no object at all', 'text', /expected webhook response of .*, got \/, Kind=$/],
    ['no response', answer(both, {}, { response: null }), /failed: no response provided$/],
    ['another review', answer(both, { uid: 'x' }), /expected response\.uid="review", got "x"$/],
    ['no success', answer(both, { result: { status: 'No' } }), /status was 'No', not 'Success'$/],
    ['no success, with words', answer([], { result: { message: 'why' } }), /failed: why$/],
    ['too few', answer([made('a')]), /returned 1 objects, expected 2$/],
    ['no list', answer([], { convertedObjects: 'x' }), /returned 0 objects, expected 2$/],
    ['swapped', answer([made('b'), made('a')]), /must have the same name: a != b$/],
    ['the second is another', answer([made('a'), made('x')]), /must have the same name: b != x$/],
    [
      'another kind',
      answer([made('a', { kind: 'X' }), made('b')]),
      /invalid kind \(expected Thing/,
    ],
    ['the old version', answer([sent('a'), made('b')]), /at index 0: invalid groupVersion/],
    [
      'null',
      answer([null, made('b')]),
      /invalid groupVersion \(expected g.example.com\/v2, received \)/,
    ],
    [
      'labels as a list',
      answer([made('a', {}, { labels: [] }), made('b')]),
      /of type \[\]interface/,
    ],
    [
      'annotations that are no texts',
      answer([made('a', {}, { annotations: { k: true } }), made('b')]),
      /metadata\.annotations\[k\] must be a string, but is bool/,
    ],
  ];
  for (const [name, said, why] of rows) {
    test(name, () => assert.throws(() => convertedObjects(review, said), why));
  }
});
