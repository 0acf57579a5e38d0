import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkOwners, type Owner } from './owner-checker.ts';

const dependents = [{ label: 'configmaps a', uid: 'a', owner: 'o' }];

const cases: readonly {
  name: string;
  fate: Owner['fate'];
  final: readonly string[];
  want: readonly string[];
}[] = [
  { name: 'all is there', fate: 'kept', final: ['o', 'a'], want: [] },
  { name: 'all is gone', fate: 'deleted', final: [], want: [] },
  { name: 'nobody knows', fate: 'unknown', final: ['a'], want: [] },
  { name: 'what was owned stays', fate: 'deleted', final: ['a'], want: ['uncollected'] },
  { name: 'the owner stays', fate: 'deleted', final: ['o'], want: ['uncollected'] },
  { name: 'what is owned goes', fate: 'kept', final: ['o'], want: ['collected-wrongly'] },
  { name: 'the owner goes', fate: 'kept', final: ['a'], want: ['collected-wrongly'] },
];
for (const { name, fate, final, want } of cases) {
  test(`owners: ${name}`, () => {
    const violations = checkOwners({
      owners: [{ uid: 'o', fate }],
      dependents,
      final: new Set(final),
    });
    assert.deepEqual(
      violations.map(({ rule }) => rule),
      want,
    );
  });
}
