import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type GroupDocument, kindsOf } from './discover-kinds.ts';

const verbs = ['get', 'list', 'watch', 'delete'];
const resource = (plural: string, kind: string, more: object = {}) => ({
  resource: plural,
  scope: 'Namespaced',
  verbs,
  responseKind: { kind },
  ...more,
});
const group = (
  name: string,
  ...versions: NonNullable<GroupDocument['versions']>
): GroupDocument => ({
  metadata: { name },
  versions,
});

const cases: readonly {
  readonly name: string;
  readonly groups: readonly GroupDocument[];
  readonly watched: readonly string[];
}[] = [
  {
    name: 'in the preferred version of the group',
    groups: [
      group(
        'example.com',
        { version: 'v2', resources: [resource('things', 'Thing')] },
        { version: 'v1', resources: [resource('things', 'Thing'), resource('olds', 'Old')] },
      ),
    ],
    watched: ['example.com/v2 things', 'example.com/v1 olds'],
  },
  {
    name: 'with the verbs list, watch and delete',
    groups: [
      group('example.com', {
        version: 'v1',
        resources: [
          resource('reviews', 'Review', { verbs: ['create'] }),
          resource('fixed', 'Fixed', { verbs: ['get', 'list', 'watch'] }),
          resource('things', 'Thing'),
        ],
      }),
    ],
    watched: ['example.com/v1 things'],
  },
  {
    name: 'except events, in either group',
    groups: [
      group('', {
        version: 'v1',
        resources: [resource('events', 'Event'), resource('pods', 'Pod')],
      }),
      group('events.k8s.io', { version: 'v1', resources: [resource('events', 'Event')] }),
      group('example.com', { version: 'v1', resources: [resource('events', 'Event')] }),
    ],
    watched: ['/v1 pods', 'example.com/v1 events'],
  },
  {
    name: 'none of a group without discovery',
    groups: [group('example.com', { version: 'v1' })],
    watched: [],
  },
];

describe('watched resources', () => {
  for (const { name, groups, watched } of cases) {
    test(name, () => {
      const found = kindsOf(groups).watched.map(
        (one) => `${one.group}/${one.version} ${one.plural}`,
      );
      assert.deepEqual(found, watched);
    });
  }
});

test('kinds are resolved in every version, watched or not', () => {
  const kinds = kindsOf([
    group(
      'example.com',
      { version: 'v2', resources: [resource('things', 'Thing')] },
      { version: 'v1', resources: [resource('things', 'Thing', { scope: 'Cluster', verbs: [] })] },
    ),
  ]);
  assert.equal(kinds.resourceOf('example.com/v2', 'Thing')?.namespaced, true);
  assert.equal(kinds.resourceOf('example.com/v1', 'Thing')?.namespaced, false);
  assert.equal(kinds.resourceOf('example.com/v3', 'Thing'), undefined);
});
