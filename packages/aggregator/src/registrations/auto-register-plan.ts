import { isDeepStrictEqual } from 'node:util';
import type { APIService, APIServiceSpec } from '@tributary/api/apiregistration-v1';
import type { LocalGroupVersion } from '../api-services/local-priorities.ts';

/** Says that an APIService is kept by whoever serves it, and how. */
export const AUTO_MANAGED = 'kube-aggregator.kubernetes.io/automanaged';

/** Set right once after a start, or all the time. */
export type Managing = 'onstart' | 'true';

export interface Wanted {
  readonly managing: Managing;
  readonly spec: APIServiceSpec;
}

export interface Situation {
  readonly current: APIService | undefined;
  readonly wanted: Wanted | undefined;
  /** It was there when this process began. */
  readonly wasThere: boolean;
  /** This process has set it right once. */
  readonly isDone: boolean;
}

export type Step =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'create'; readonly managing: Managing; readonly spec: APIServiceSpec }
  | { readonly kind: 'update'; readonly current: APIService; readonly spec: APIServiceSpec }
  | { readonly kind: 'delete'; readonly current: APIService };

const nothing: Step = { kind: 'nothing' };

/**
 * What upstream does, and one thing that it does not: what this process serves itself is registered again when somebody
 * has deleted it, not only by the next start. Without it the group would be served and in no list of groups.
 */
export function planAutoRegister({ current, wanted, wasThere, isDone }: Situation): Step {
  if (current === undefined) {
    return wanted === undefined
      ? nothing
      : { kind: 'create', managing: wanted.managing, spec: wanted.spec };
  }
  const managing = current.metadata.labels?.[AUTO_MANAGED];
  // Somebody has taken it over, or has made it: it is theirs.
  if (managing !== 'onstart' && managing !== 'true') return nothing;
  if (wanted?.managing === 'onstart' && isDone) return nothing;
  // Of another server on the same store, which is newer or older than this one.
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

/** As it is stored: an empty group is not written. */
export function localSpec(local: LocalGroupVersion): APIServiceSpec {
  const { group, version, groupPriorityMinimum, versionPriority } = local;
  return { ...(group !== '' && { group }), version, groupPriorityMinimum, versionPriority };
}
