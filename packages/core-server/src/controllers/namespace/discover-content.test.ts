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
  /** Per group version; one that is missing was never heard of. */
  readonly others: Readonly<Record<string, readonly string[]>>;
  readonly undiscovered?: readonly string[];
}[] = [
  {
    name: 'of this server, in the preferred version',
    group: wardle(
      { version: 'v2', resources: [flunders] },
      { version: 'v1', resources: [flunders] },
    ),
    remote: [],
    local: ['v2 flunders'],
    others: {},
  },
  {
    name: 'of other servers, in every version: they may be different servers',
    group: wardle(
      { version: 'v2', resources: [flunders] },
      { version: 'v1', resources: [flunders] },
    ),
    remote: ['wardle.example.com/v2', 'wardle.example.com/v1'],
    local: [],
    others: { 'wardle.example.com/v2': ['flunders'], 'wardle.example.com/v1': ['flunders'] },
  },
  {
    name: 'a version here is not hidden by one that is elsewhere',
    group: wardle(
      { version: 'v2', resources: [flunders] },
      { version: 'v1', resources: [flunders] },
    ),
    remote: ['wardle.example.com/v2'],
    local: ['v1 flunders'],
    others: { 'wardle.example.com/v2': ['flunders'] },
  },
  {
    name: 'old documents of another server are believed',
    group: wardle({ version: 'v1', freshness: 'Stale', resources: [flunders] }),
    remote: ['wardle.example.com/v1'],
    local: [],
    others: { 'wardle.example.com/v1': ['flunders'] },
  },
  {
    name: 'another server that was never heard of',
    group: wardle({ version: 'v1', freshness: 'Stale' }),
    remote: ['wardle.example.com/v1'],
    local: [],
    others: {},
  },
  {
    name: 'another server that has nothing to delete',
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
    name: 'of this server, and stale',
    group: wardle({ version: 'v1', freshness: 'Stale', resources: [flunders] }),
    remote: [],
    local: ['v1 flunders'],
    others: {},
    undiscovered: ['wardle.example.com/v1'],
  },
];

describe('what can be deleted in a namespace', () => {
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
