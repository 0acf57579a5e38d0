import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverIdentity } from './identity-lease.ts';

test('the identity of a server is derived from its host name', () => {
  const identity = serverIdentity('example');
  assert.match(identity, /^apiserver-[a-z2-7]{26}$/);
  assert.equal(serverIdentity('example'), identity);
  assert.notEqual(serverIdentity('other'), identity);
});
