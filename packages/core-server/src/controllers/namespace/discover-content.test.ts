import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contentOf, type GroupDiscovery } from './discover-content.ts';

const deletable = ['get', 'list', 'delete'];
const flunders = { resource: 'flunders', scope: 'Namespaced', verbs: deletable };
const wardle = (...versions: NonNullable<GroupDiscovery['versions']>): GroupDiscovery => ({
  metadata: { name: 'wardle.example.com' },
  versions,
});

const cases: readonly {
  readonly name: string;
  readonly group: GroupDiscovery;
  readonly remote: readonly string[];
  readonly local: readonly string[];
  /** Resources by group version; missing ones were never discovered. */
  readonly others: Readonly<Record<string, readonly string[]>>;
  readonly undiscovered?: readonly string[];
}[] = [
  {
    name: 'local resources in the preferred version',
    group: wardle(
      { version: 'v2', resources: [flunders] },
      { version: 'v1', resources: [flunders] },
    ),
    remote: [],
    local: ['v2 flunders'],
    others: {},
  },
  {
    name: 'remote resources in every version, because servers may differ',
    group: wardle(
      { version: 'v2', resources: [flunders] },
      { version: 'v1', resources: [flunders] },
    ),
    remote: ['wardle.example.com/v2', 'wardle.example.com/v1'],
    local: [],
    others: { 'wardle.example.com/v2': ['flunders'], 'wardle.example.com/v1': ['flunders'] },
  },
  {
    name: 'a remote version does not hide a local one',
    group: wardle(
      { version: 'v2', resources: [flunders] },
      { version: 'v1', resources: [flunders] },
    ),
    remote: ['wardle.example.com/v2'],
    local: ['v1 flunders'],
    others: { 'wardle.example.com/v2': ['flunders'] },
  },
  {
    name: 'stale documents of a remote server are used',
    group: wardle({ version: 'v1', freshness: 'Stale', resources: [flunders] }),
    remote: ['wardle.example.com/v1'],
    local: [],
    others: { 'wardle.example.com/v1': ['flunders'] },
  },
  {
    name: 'a remote server that was never discovered',
    group: wardle({ version: 'v1', freshness: 'Stale' }),
    remote: ['wardle.example.com/v1'],
    local: [],
    others: {},
  },
  {
    name: 'a remote server without deletable resources',
    group: wardle({
      version: 'v1',
      freshness: 'Current',
      resources: [{ ...flunders, verbs: ['get', 'list'] }],
    }),
    remote: ['wardle.example.com/v1'],
    local: [],
    others: { 'wardle.example.com/v1': [] },
  },
  {
    name: 'stale local documents',
    group: wardle({ version: 'v1', freshness: 'Stale', resources: [flunders] }),
    remote: [],
    local: ['v1 flunders'],
    others: {},
    undiscovered: ['wardle.example.com/v1'],
  },
];

describe('content of a namespace', () => {
  for (const { name, group, remote, local, others, undiscovered = [] } of cases) {
    test(name, () => {
      const content = contentOf([group], new Set(remote));
      assert.deepEqual(
        content.resources.map(({ version, plural }) => `${version} ${plural}`),
        local,
      );
      const found = [...content.remote].map(([key, all]) => [key, all.map(({ plural }) => plural)]);
      assert.deepEqual(Object.fromEntries(found), others);
      assert.deepEqual([...content.undiscovered.keys()], undiscovered);
    });
  }
});
