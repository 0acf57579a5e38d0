import assert from 'node:assert/strict';
import { test } from 'node:test';
import { peerVersion } from '../peers/peers.ts';

test('informer-checker has the client library of the release that we are compared with', () => {
  assert.equal(peerVersion('informer-checker'), peerVersion('kube-apiserver'));
});
