import type { NamespaceCondition } from '@tributary/api/core-v1';
import { formatTime } from '@tributary/apimachinery';

/** What stands in the way of a namespace that is deleted. */
export interface DeletionFindings {
  /** Groups whose resources are not known at present, with the reason. */
  readonly undiscovered: ReadonlyMap<string, string>;
  /** Groups of other servers that cannot be asked at present. */
  readonly unreachable: ReadonlyMap<string, { readonly why: string }>;
  /** What could not be deleted, in words. */
  readonly failures: readonly string[];
  /** How many objects are left, by `resource.group`. */
  readonly remaining: ReadonlyMap<string, number>;
  /** How many objects each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Pods go first; nothing else was looked at yet. */
  readonly awaitsPods?: boolean;
}

export const nothingFound: DeletionFindings = {
  undiscovered: new Map(),
  unreachable: new Map(),
  failures: [],
  remaining: new Map(),
  finalizers: new Map(),
};

interface Verdict {
  readonly type: string;
  readonly bad: { readonly reason: string; readonly message: string } | undefined;
  readonly good: { readonly reason: string; readonly message: string };
}

/** The conditions of a namespace that is being deleted, in the words that people search for. */
export function deletionConditions(
  before: readonly NamespaceCondition[],
  findings: DeletionFindings,
  nowMs: number,
): NamespaceCondition[] {
  const verdicts = verdictsOf(findings);
  const kept = before.filter(({ type }) => !verdicts.some((verdict) => verdict.type === type));
  return [...kept, ...verdicts.map((verdict) => conditionOf(verdict, before, nowMs))];
}

function conditionOf(
  { type, bad, good }: Verdict,
  before: readonly NamespaceCondition[],
  nowMs: number,
): NamespaceCondition {
  const status = bad === undefined ? 'False' : 'True';
  const old = before.find((condition) => condition.type === type);
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : formatTime(nowMs);
  return { type, status, lastTransitionTime, ...(bad ?? good) };
}

function verdictsOf(findings: DeletionFindings): readonly Verdict[] {
  const { failures, awaitsPods } = findings;
  // As upstream, which counts what is left only when everything was looked at.
  const { remaining, finalizers } = awaitsPods ? nothingFound : findings;
  // As upstream, whose discovery has nothing of a server that does not answer.
  const undiscovered = new Map(findings.undiscovered);
  for (const [groupVersion, { why }] of findings.unreachable) undiscovered.set(groupVersion, why);
  return [
    {
      type: 'NamespaceDeletionDiscoveryFailure',
      bad: unless(undiscovered.size === 0, 'DiscoveryFailed', () => undiscoveredText(undiscovered)),
      good: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
    },
    {
      type: 'NamespaceDeletionGroupVersionParsingFailure',
      bad: undefined,
      good: {
        reason: 'ParsedGroupVersions',
        message: 'All legacy kube types successfully parsed',
      },
    },
    {
      type: 'NamespaceDeletionContentFailure',
      bad: unless(failures.length === 0, 'ContentDeletionFailed', () => failuresText(failures)),
      good: {
        reason: 'ContentDeleted',
        message: 'All content successfully deleted, may be waiting on finalization',
      },
    },
    {
      type: 'NamespaceContentRemaining',
      bad: unless(remaining.size === 0, 'SomeResourcesRemain', () => {
        const parts = sorted(remaining).map(
          ([name, count]) => `${name} has ${count} resource instances`,
        );
        return `Some resources are remaining: ${parts.join(', ')}`;
      }),
      good: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    },
    {
      type: 'NamespaceFinalizersRemaining',
      bad: unless(finalizers.size === 0, 'SomeFinalizersRemain', () => {
        const parts = sorted(finalizers).map(
          ([name, count]) => `${name} in ${count} resource instances`,
        );
        return `Some content in the namespace has finalizers remaining: ${parts.join(', ')}`;
      }),
      good: {
        reason: 'ContentHasNoFinalizers',
        message: 'All content-preserving finalizers finished',
      },
    },
  ];
}

function unless(isWell: boolean, reason: string, message: () => string): Verdict['bad'] {
  return isWell ? undefined : { reason, message: message() };
}

function undiscoveredText(groups: ReadonlyMap<string, string>): string {
  const parts = sorted(groups).map(([groupVersion, why]) => `${groupVersion}: ${why}`);
  return `Discovery failed for some groups, ${groups.size} failing: unable to retrieve the complete list of server APIs: ${parts.join(', ')}`;
}

function failuresText(failures: readonly string[]): string {
  const text = [...failures].sort().join(', ');
  return `Failed to delete all resource types, ${failures.length} remaining: ${text}`;
}

function sorted<Value>(values: ReadonlyMap<string, Value>): [string, Value][] {
  return [...values].sort(([a], [b]) => (a < b ? -1 : 1));
}
