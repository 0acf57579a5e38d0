/**
 * What is known to differ from the original, with the issue that will empty it. A row that begins to answer like the
 * original fails the run until it is removed from here.
 */
import type { TodoPath, TodoRows } from './verdict.ts';

/** Parts of many answers. */
export const todoPaths: readonly TodoPath[] = [];

export const todoRows: readonly TodoRows[] = [
  {
    issue: 4,
    why: 'A second version, and conversion',
    rows: ['update: another version', 'create: another version'],
  },
  {
    issue: 4,
    why: 'Patches',
    rows: [
      'patch: merge removes',
      'patch: merge to a wrong type',
      'patch: merge with an unknown field, refused',
    ],
  },
  {
    issue: 4,
    why: 'Tables, PartialObjectMetadata, and the choice between representations',
    rows: [
      'watch: in an unknown form',
      'negotiation: an unknown form',
      'negotiation: an unknown form of a list',
      'negotiation: any application',
      'negotiation: nonsense',
    ],
  },
  {
    issue: 5,
    why: 'Server-side apply',
    rows: ['patch: apply creates'],
  },
  {
    issue: 6,
    why: 'Namespaces',
    rows: ['create: in a missing namespace'],
  },
  {
    issue: 4,
    why: 'Bodies of another kind of the group',
    rows: ['update: another kind', 'create: a list', 'create: another kind'],
  },
  {
    issue: 4,
    why: 'Null and wrong types, in the words of the original',
    rows: ['create: a text where an object belongs', 'create: a number where a text belongs'],
  },
];
