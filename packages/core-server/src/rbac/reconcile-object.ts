/**
 * The write after which an object grants at least what the bootstrap policy demands. Reconciliation removes nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ObjectMeta } from '@tributary/apimachinery';
import { uncoveredRules } from './cover-rules.ts';
import { isSemanticallyEqual } from './semantic-equality.ts';
import type { ClusterRole, PolicyRule, Role, RoleBinding, Subject } from './types.ts';

/** `"false"` excludes an object from reconciliation. */
const AUTOUPDATE_ANNOTATION = 'rbac.authorization.kubernetes.io/autoupdate';

export type Reconciliation<Object> =
  | { readonly operation: 'none' }
  /** The object differs, but its annotation excludes it. */
  | { readonly operation: 'protected' }
  | { readonly operation: 'create' | 'update'; readonly object: Object }
  /** The role of a binding is immutable: `existing` is deleted and `object` created. */
  | { readonly operation: 'recreate'; readonly object: Object; readonly existing: Object };

export function reconcile<Object extends ClusterRole | Role | RoleBinding>(
  expected: Object,
  existing: Object | undefined,
): Reconciliation<Object> {
  if (existing === undefined) return { operation: 'create', object: expected };
  const wanted = isBinding(expected)
    ? reconcileBinding(expected, existing as RoleBinding)
    : reconcileRole(expected, existing);
  if (wanted.operation === 'none') return { operation: 'none' };
  if (existing.metadata.annotations?.[AUTOUPDATE_ANNOTATION] === 'false') {
    return { operation: 'protected' };
  }
  // `expected` and `existing` have the same kind.
  return wanted as Reconciliation<Object>;
}

function isBinding(object: ClusterRole | Role | RoleBinding): object is RoleBinding {
  return 'roleRef' in object;
}

function reconcileRole(expected: ClusterRole, existing: ClusterRole): Reconciliation<ClusterRole> {
  const metadata = mergedMetadata(expected.metadata, existing.metadata);
  const missing = missingRules(expected.rules ?? [], existing.rules ?? []);
  const { aggregationRule, ...rest } = existing;
  const selectors = aggregationRule?.clusterRoleSelectors ?? [];
  const missingSelectors = (expected.aggregationRule?.clusterRoleSelectors ?? []).filter(
    (wanted) => !selectors.some((present) => isSemanticallyEqual(present, wanted)),
  );
  // An unexpected aggregationRule is removed: it could select roles that the policy does not intend.
  const mustNotAggregate = expected.aggregationRule === undefined && aggregationRule !== undefined;
  const isComplete =
    metadata === existing.metadata &&
    missing.length === 0 &&
    missingSelectors.length === 0 &&
    !mustNotAggregate;
  if (isComplete) return { operation: 'none' };
  const object: ClusterRole = { ...rest, metadata };
  if (missing.length > 0) object.rules = [...(existing.rules ?? []), ...missing];
  if (!mustNotAggregate && aggregationRule !== undefined) object.aggregationRule = aggregationRule;
  if (missingSelectors.length > 0) {
    object.aggregationRule = { clusterRoleSelectors: [...selectors, ...missingSelectors] };
  }
  return { operation: 'update', object };
}

/** Most starts find equal rules, and comparing them is much cheaper than computing coverage. */
function missingRules(
  expected: readonly PolicyRule[],
  existing: readonly PolicyRule[],
): readonly PolicyRule[] {
  return isDeepStrictEqual(expected, existing) ? [] : uncoveredRules(existing, expected);
}

function reconcileBinding(
  expected: RoleBinding,
  existing: RoleBinding,
): Reconciliation<RoleBinding> {
  if (!isSemanticallyEqual(expected.roleRef, existing.roleRef)) {
    return { operation: 'recreate', object: expected, existing };
  }
  const metadata = mergedMetadata(expected.metadata, existing.metadata);
  const subjects = existing.subjects ?? [];
  const missing = (expected.subjects ?? []).filter((subject) => !includes(subjects, subject));
  if (metadata === existing.metadata && missing.length === 0) return { operation: 'none' };
  const object = { ...existing, metadata };
  if (missing.length > 0) object.subjects = [...subjects, ...missing];
  return { operation: 'update', object };
}

function includes(subjects: readonly Subject[], wanted: Subject): boolean {
  return subjects.some((subject) => isSemanticallyEqual(subject, wanted));
}

/** Adds missing labels and annotations without changing present ones. Returns `existing` when nothing is missing. */
function mergedMetadata(expected: ObjectMeta, existing: ObjectMeta): ObjectMeta {
  const labels = withMissing(expected.labels, existing.labels);
  const annotations = withMissing(expected.annotations, existing.annotations);
  if (labels === existing.labels && annotations === existing.annotations) return existing;
  return {
    ...existing,
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
  };
}

type Pairs = Record<string, string>;

function withMissing(expected: Pairs = {}, existing: Pairs | undefined): Pairs | undefined {
  const isMissing = Object.keys(expected).some((key) => !Object.hasOwn(existing ?? {}, key));
  return isMissing ? { ...expected, ...existing } : existing;
}
