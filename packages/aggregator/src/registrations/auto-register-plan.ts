import { isDeepStrictEqual } from 'node:util';
import type { APIService, APIServiceSpec } from '@tributary/api/apiregistration-v1';
import type { LocalGroupVersion } from '../api-services/local-priorities.ts';

/** Upstream's label of APIServices that a server manages, with the mode as its value. */
export const AUTO_MANAGED = 'kube-aggregator.kubernetes.io/automanaged';

/** `onstart`: corrected once after a start; `true`: always. */
export type Managing = 'onstart' | 'true';

export interface Wanted {
  readonly managing: Managing;
  readonly spec: APIServiceSpec;
}

export interface Situation {
  readonly current: APIService | undefined;
  readonly wanted: Wanted | undefined;
  /** It existed when this process started. */
  readonly wasThere: boolean;
  /** This process has corrected it once. */
  readonly isDone: boolean;
}

export type Step =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'create'; readonly managing: Managing; readonly spec: APIServiceSpec }
  | { readonly kind: 'update'; readonly current: APIService; readonly spec: APIServiceSpec }
  | { readonly kind: 'delete'; readonly current: APIService };

const nothing: Step = { kind: 'nothing' };

/**
 * Upstream's decision with one difference: a local group version whose APIService was deleted is registered again at
 * once, not only by the next start. Otherwise it would be served but not listed in discovery.
 */
export function planAutoRegister({ current, wanted, wasThere, isDone }: Situation): Step {
  if (current === undefined) {
    return wanted === undefined
      ? nothing
      : { kind: 'create', managing: wanted.managing, spec: wanted.spec };
  }
  const managing = current.metadata.labels?.[AUTO_MANAGED];
  // Without the label, a user has created or taken it over.
  if (managing !== 'onstart' && managing !== 'true') return nothing;
  if (wanted?.managing === 'onstart' && isDone) return nothing;
  // Created by another server on the same store, which may have another version.
  if (managing === 'onstart' && (!wasThere || isDone)) return nothing;
  if (wanted === undefined) return { kind: 'delete', current };
  if (isDeepStrictEqual(current.spec, wanted.spec)) return nothing;
  return { kind: 'update', current, spec: wanted.spec };
}

export function nameOfGroupVersion({
  group,
  version,
}: Pick<LocalGroupVersion, 'group' | 'version'>): string {
  return `${version}.${group}`;
}

/** As stored: an empty group is not written. */
export function localSpec(local: LocalGroupVersion): APIServiceSpec {
  const { group, version, groupPriorityMinimum, versionPriority } = local;
  return { ...(group !== '' && { group }), version, groupPriorityMinimum, versionPriority };
}
