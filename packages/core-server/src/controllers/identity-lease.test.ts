import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverIdentity } from './identity-lease.ts';

test('a server is known by the name of its host, as upstream derives it', () => {
  const identity = serverIdentity('example');
  assert.match(identity, /^apiserver-[a-z2-7]{26}$/);
  assert.equal(serverIdentity('example'), identity);
  assert.notEqual(serverIdentity('other'), identity);
});
