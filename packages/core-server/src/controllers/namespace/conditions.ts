import type { NamespaceCondition } from '@tributary/api/core-v1';
import { formatTime } from '@tributary/apimachinery';

/** The state of a namespace deletion. */
export interface DeletionFindings {
  /** Groups whose discovery failed, with the reason. */
  readonly undiscovered: ReadonlyMap<string, string>;
  /** Groups of other servers that are unavailable. */
  readonly unreachable: ReadonlyMap<string, { readonly why: string }>;
  /** Error messages of deletions. */
  readonly failures: readonly string[];
  /** The number of remaining objects, by `resource.group`. */
  readonly remaining: ReadonlyMap<string, number>;
  /** The number of objects per finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Pods are deleted first; other resources were not processed yet. */
  readonly awaitsPods?: boolean;
}

export const noFindings: DeletionFindings = {
  undiscovered: new Map(),
  unreachable: new Map(),
  failures: [],
  remaining: new Map(),
  finalizers: new Map(),
};

interface ConditionRule {
  readonly type: string;
  readonly problem: { readonly reason: string; readonly message: string } | undefined;
  readonly ok: { readonly reason: string; readonly message: string };
}

/** The conditions of a namespace that is being deleted, with upstream's texts. */
export function deletionConditions(
  before: readonly NamespaceCondition[],
  findings: DeletionFindings,
  nowMs: number,
): NamespaceCondition[] {
  const rules = conditionRules(findings);
  const others = before.filter(({ type }) => !rules.some((rule) => rule.type === type));
  return [...others, ...rules.map((rule) => conditionOf(rule, before, nowMs))];
}

function conditionOf(
  { type, problem, ok }: ConditionRule,
  before: readonly NamespaceCondition[],
  nowMs: number,
): NamespaceCondition {
  const status = problem === undefined ? 'False' : 'True';
  const old = before.find((condition) => condition.type === type);
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : formatTime(nowMs);
  return { type, status, lastTransitionTime, ...(problem ?? ok) };
}

function conditionRules(findings: DeletionFindings): readonly ConditionRule[] {
  const { failures, awaitsPods } = findings;
  // As upstream, which counts remaining objects only after all resources were processed.
  const { remaining, finalizers } = awaitsPods ? noFindings : findings;
  // As upstream, whose discovery lacks unavailable servers.
  const undiscovered = new Map(findings.undiscovered);
  for (const [groupVersion, { why }] of findings.unreachable) undiscovered.set(groupVersion, why);
  return [
    {
      type: 'NamespaceDeletionDiscoveryFailure',
      problem: problemUnless(undiscovered.size === 0, 'DiscoveryFailed', () =>
        undiscoveredText(undiscovered),
      ),
      ok: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
    },
    {
      type: 'NamespaceDeletionGroupVersionParsingFailure',
      problem: undefined,
      ok: {
        reason: 'ParsedGroupVersions',
        message: 'All legacy kube types successfully parsed',
      },
    },
    {
      type: 'NamespaceDeletionContentFailure',
      problem: problemUnless(failures.length === 0, 'ContentDeletionFailed', () =>
        failuresText(failures),
      ),
      ok: {
        reason: 'ContentDeleted',
        message: 'All content successfully deleted, may be waiting on finalization',
      },
    },
    {
      type: 'NamespaceContentRemaining',
      problem: problemUnless(remaining.size === 0, 'SomeResourcesRemain', () => {
        const parts = sorted(remaining).map(
          ([name, count]) => `${name} has ${count} resource instances`,
        );
        return `Some resources are remaining: ${parts.join(', ')}`;
      }),
      ok: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    },
    {
      type: 'NamespaceFinalizersRemaining',
      problem: problemUnless(finalizers.size === 0, 'SomeFinalizersRemain', () => {
        const parts = sorted(finalizers).map(
          ([name, count]) => `${name} in ${count} resource instances`,
        );
        return `Some content in the namespace has finalizers remaining: ${parts.join(', ')}`;
      }),
      ok: {
        reason: 'ContentHasNoFinalizers',
        message: 'All content-preserving finalizers finished',
      },
    },
  ];
}

function problemUnless(
  isWell: boolean,
  reason: string,
  message: () => string,
): ConditionRule['problem'] {
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
