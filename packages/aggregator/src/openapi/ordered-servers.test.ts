import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Registration } from '../api-services/registration.ts';
import { byPriority } from './ordered-servers.ts';

function registration(
  name: string,
  groupPriorityMinimum: number,
  versionPriority: number,
): Registration {
  const [version = '', ...group] = name.split('.');
  const common = { name, uid: name, version, groupPriorityMinimum, versionPriority };
  return { ...common, group: group.join('.'), remote: undefined };
}

test('groups by their highest priority, versions by their own, then by name', () => {
  const all = [
    registration('v1.b', 100, 1),
    registration('v2.b', 900, 5),
    registration('v1.a', 500, 1),
    registration('v1.d', 500, 9),
    registration('v3.d', 500, 9),
    registration('v2.d', 400, 20),
  ];
  const want = ['v2.b', 'v1.b', 'v1.a', 'v2.d', 'v1.d', 'v3.d'];
  for (const order of [all, all.toReversed()]) {
    assert.deepEqual(
      order.toSorted(byPriority(all)).map(({ name }) => name),
      want,
    );
  }
});
