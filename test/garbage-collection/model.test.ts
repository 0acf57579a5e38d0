import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Deletion, finalGraph, type ModelGraph, type ModelObject } from './model.ts';

/** `n-a<n-b,c`: a depends on b and c. Names that begin with `n-` are in a namespace, `n-x@other` in another one. */
function graphOf(...lines: readonly string[]): ModelGraph {
  return new Map(
    lines.map((line) => {
      const [object = '', owners = ''] = line.split('<');
      const [name = '', where = 'here'] = object.split('@');
      const namespace = name.startsWith('n-') ? where : '';
      const references = owners === '' ? [] : owners.split(',');
      const parsed: ModelObject = {
        name,
        kind: 'Thing',
        namespace,
        owners: references.map((owner) => ({ owner, blocks: true })),
      };
      return [name, parsed];
    }),
  );
}

function linesOf(graph: ModelGraph): string[] {
  return [...graph.values()].map(({ name, owners }) =>
    owners.length === 0 ? name : `${name}<${owners.map(({ owner }) => owner).join(',')}`,
  );
}

const background = (name: string): Deletion => ({ name, policy: 'Background' });
const foreground = (name: string): Deletion => ({ name, policy: 'Foreground' });
const orphan = (name: string): Deletion => ({ name, policy: 'Orphan' });

const cases: readonly {
  readonly name: string;
  readonly graph: readonly string[];
  readonly deletions?: readonly Deletion[];
  readonly left: readonly string[];
}[] = [
  { name: 'nothing is deleted', graph: ['n-a', 'n-b<n-a'], left: ['n-a', 'n-b<n-a'] },
  {
    name: 'a chain goes with its first owner',
    graph: ['n-a', 'n-b<n-a', 'n-c<n-b'],
    deletions: [background('n-a')],
    left: [],
  },
  {
    name: 'also in the foreground',
    graph: ['n-a', 'n-b<n-a', 'n-c<n-b'],
    deletions: [foreground('n-a')],
    left: [],
  },
  {
    name: 'orphans stay, and keep what they own',
    graph: ['n-a', 'n-b<n-a', 'n-c<n-b'],
    deletions: [orphan('n-a')],
    left: ['n-b', 'n-c<n-b'],
  },
  {
    name: 'another owner keeps it',
    graph: ['n-a', 'n-b', 'n-c<n-a,n-b'],
    deletions: [background('n-a')],
    left: ['n-b', 'n-c<n-b'],
  },
  {
    name: 'a circle goes as a whole',
    graph: ['n-a<n-b', 'n-b<n-a'],
    deletions: [foreground('n-a')],
    left: [],
  },
  { name: 'an owner that never was', graph: ['n-a<n-gone'], left: [] },
  { name: 'an owner in another namespace', graph: ['n-a@there', 'n-b<n-a'], left: ['n-a'] },
  {
    name: 'an owner without a namespace',
    graph: ['c', 'n-a<c', 'n-b@there<c'],
    left: ['c', 'n-a<c', 'n-b<c'],
  },
  {
    name: 'what has no namespace never loses an owner that has one',
    graph: ['n-a', 'c<n-a'],
    deletions: [background('n-a')],
    left: ['c<n-a'],
  },
  {
    name: 'unless it is orphaned',
    graph: ['n-a', 'c<n-a'],
    deletions: [orphan('n-a')],
    left: ['c'],
  },
];

describe('what garbage collection comes to', () => {
  for (const { name, graph, deletions = [], left } of cases) {
    test(name, () => assert.deepEqual(linesOf(finalGraph(graphOf(...graph), deletions)), left));
  }
});
