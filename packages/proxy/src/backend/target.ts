import type { BackendConfig } from './backend-config.ts';

/** One process that answers for a registration. */
export interface Target {
  /** What is dialled: an address or a name, without brackets. */
  readonly host: string;
  readonly port: number;
  /** What its certificate must be for. */
  readonly serverName: string;
}

/** Why nobody can be asked, in the words of the condition. */
export interface TargetProblem {
  readonly status: 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** At least one target, in no order, or the reason why there is none. */
export type Targets = { readonly targets: readonly Target[] } | { readonly problem: TargetProblem };

/** From local copies, at once. */
export type FindTargets = (remote: Addressed) => Targets;

/** What says where a server is. */
export type Addressed = Pick<BackendConfig, 'service' | 'url'>;
