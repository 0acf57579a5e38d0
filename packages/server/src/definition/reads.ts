import type { ResourceDefinition } from '../resource.ts';

/** Typed reads of a resource of the same server, in its storage version, as of now. */
export interface Reads<Object> {
  /** `namespace` is left out for cluster-scoped kinds. */
  get(name: string, namespace?: string): Promise<Object | undefined>;
  /** All of them, or those of a namespace. Shared with everybody who reads: not to be changed. */
  list(namespace?: string): Promise<readonly Object[]>;
}

export type Read = <Object>(resource: ResourceDefinition<Object>) => Reads<Object>;
