import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../../test/harness/index.ts';
import { GroupUnavailable } from './errors.ts';
import { virtualNode } from './graph-node.ts';
import { orphanedOwners } from './orphaned-owners.ts';

const owner = () =>
  virtualNode({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'here', name: 'a', uid: 'a' });

test('an owner with known dependents is deleted at once', () => {
  const owners = orphanedOwners(new VirtualClock(), { unsynced: () => [] });
  owners.requireKnownDependents(owner());
  assert.equal(owners.uids.size, 0);
});

test('an owner waits 30 seconds for servers that are not listed, and is then recorded', async () => {
  const clock = new VirtualClock();
  const missing = ['wardle.example.com/v1'];
  const owners = orphanedOwners(clock, {
    unsynced: (where) => (where === 'remote' ? missing : []),
  });
  const node = owner();
  assert.throws(() => owners.requireKnownDependents(node), GroupUnavailable);
  await clock.advance(29_999);
  assert.throws(() => owners.requireKnownDependents(node), GroupUnavailable);
  assert.deepEqual([...owners.uids], []);
  await clock.advance(1);
  owners.requireKnownDependents(node);
  assert.deepEqual([...owners.uids], ['a']);
});
