import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type DeletionFindings, deletionConditions, noFindings } from './conditions.ts';

const NOW_MS = Date.UTC(2030, 0, 1);
const NOW = '2030-01-01T00:00:00Z';

const cases: readonly {
  readonly name: string;
  readonly findings: Partial<DeletionFindings>;
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}[] = [
  {
    name: 'a group without discovery',
    findings: {
      undiscovered: new Map([
        ['wardle.example.com/v1', 'stale GroupVersion discovery: wardle.example.com/v1'],
      ]),
    },
    type: 'NamespaceDeletionDiscoveryFailure',
    status: 'True',
    reason: 'DiscoveryFailed',
    message:
      'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: wardle.example.com/v1: stale GroupVersion discovery: wardle.example.com/v1',
  },
  {
    name: 'all groups are discovered',
    findings: {},
    type: 'NamespaceDeletionDiscoveryFailure',
    status: 'False',
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  {
    name: 'all versions are parsed',
    findings: {},
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    status: 'False',
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  {
    name: 'one failure',
    findings: { failures: ['boom'] },
    type: 'NamespaceDeletionContentFailure',
    status: 'True',
    reason: 'ContentDeletionFailed',
    message: 'Failed to delete all resource types, 1 remaining: boom',
  },
  {
    name: 'two failures, in order',
    findings: { failures: ['b', 'a'] },
    type: 'NamespaceDeletionContentFailure',
    status: 'True',
    reason: 'ContentDeletionFailed',
    message: 'Failed to delete all resource types, 2 remaining: a, b',
  },
  {
    name: 'nothing failed',
    findings: {},
    type: 'NamespaceDeletionContentFailure',
    status: 'False',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  {
    name: 'objects of the core group and another remain',
    findings: {
      remaining: new Map([
        ['pods.', 2],
        ['flunders.wardle.example.com', 1],
      ]),
    },
    type: 'NamespaceContentRemaining',
    status: 'True',
    reason: 'SomeResourcesRemain',
    message:
      'Some resources are remaining: flunders.wardle.example.com has 1 resource instances, pods. has 2 resource instances',
  },
  {
    name: 'pods remain, and other resources were not processed',
    findings: { remaining: new Map([['pods.', 2]]), awaitsPods: true },
    type: 'NamespaceContentRemaining',
    status: 'False',
    reason: 'ContentRemoved',
    message: 'All content successfully removed',
  },
  {
    name: 'no objects remain',
    findings: {},
    type: 'NamespaceContentRemaining',
    status: 'False',
    reason: 'ContentRemoved',
    message: 'All content successfully removed',
  },
  {
    name: 'finalizers remain',
    findings: {
      finalizers: new Map([
        ['b/x', 1],
        ['a/x', 3],
      ]),
    },
    type: 'NamespaceFinalizersRemaining',
    status: 'True',
    reason: 'SomeFinalizersRemain',
    message:
      'Some content in the namespace has finalizers remaining: a/x in 3 resource instances, b/x in 1 resource instances',
  },
  {
    name: 'no finalizers remain',
    findings: {},
    type: 'NamespaceFinalizersRemaining',
    status: 'False',
    reason: 'ContentHasNoFinalizers',
    message: 'All content-preserving finalizers finished',
  },
];

describe('conditions of a terminating namespace', () => {
  for (const { name, findings, type, status, reason, message } of cases) {
    test(name, () => {
      const conditions = deletionConditions([], { ...noFindings, ...findings }, NOW_MS);
      assert.equal(conditions.length, 5);
      const found = conditions.find((condition) => condition.type === type);
      assert.deepEqual(found, { type, status, lastTransitionTime: NOW, reason, message });
    });
  }

  test('keep the time of their last change, and other conditions', () => {
    const before = deletionConditions([], { ...noFindings, failures: ['a'] }, NOW_MS);
    const other = { type: 'Mine', status: 'True', lastTransitionTime: NOW };
    const later = NOW_MS + 60_000;
    const findings = { ...noFindings, failures: ['b'], remaining: new Map([['pods.', 1]]) };
    const after = deletionConditions([other, ...before], findings, later);
    const timeOf = (type: string) => after.find((one) => one.type === type)?.lastTransitionTime;
    assert.equal(timeOf('NamespaceDeletionContentFailure'), NOW);
    assert.equal(timeOf('NamespaceContentRemaining'), '2030-01-01T00:01:00Z');
    assert.deepEqual(after[0], other);
    assert.equal(after.length, 6);
  });
});
