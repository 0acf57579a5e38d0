import type { BackendConfig } from './backend-config.ts';

/** One process of a server. */
export interface Target {
  /** The address or name to dial, without brackets. */
  readonly host: string;
  readonly port: number;
  /** The name that its certificate must have. */
  readonly serverName: string;
}

/** The reason that a server has no target, as in the condition of an APIService. */
export interface TargetProblem {
  readonly status: 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** At least one target, in no order, or the reason why there is none. */
export type Targets = { readonly targets: readonly Target[] } | { readonly problem: TargetProblem };

/** From informers, without waiting. */
export type FindTargets = (remote: Addressed) => Targets;

/** The fields that say where a server is. */
export type Addressed = Pick<BackendConfig, 'service' | 'url'>;
