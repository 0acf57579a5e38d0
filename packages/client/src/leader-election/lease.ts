import { type KubeObject, StatusError } from '@tributary/apimachinery';
import type { ResourceClient } from '../resource/resource-client.ts';
import type { ResourceType } from '../resource/resource-path.ts';

/** The holder of a Lease of `coordination.k8s.io/v1`, and its duration. */
export type Lease = KubeObject & { readonly spec?: LeaseSpec };

export interface LeaseSpec {
  /** Empty when the Lease was released. */
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  /** With microseconds. */
  readonly acquireTime?: string;
  readonly renewTime?: string;
  /** The number of changes of the holder. */
  readonly leaseTransitions?: number;
}

export const LEASES: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  namespaced: true,
};

/** One Lease, read and written on the condition that no other client has changed it. */
export interface LeaseLock {
  /** Undefined when there is none. */
  read(signal: AbortSignal): Promise<LeaseSpec | undefined>;
  create(spec: LeaseSpec, signal: AbortSignal): Promise<void>;
  /** Replaces the Lease that was read or written last. */
  write(spec: LeaseSpec, signal: AbortSignal): Promise<void>;
}

export function leaseLock(leases: ResourceClient<Lease>, name: string): LeaseLock {
  let last: Lease | undefined;
  // The election decides about retries, with its own pauses and deadlines.
  const retriesMax = 0;
  return {
    async read(signal) {
      try {
        last = await leases.get(name, { signal, retriesMax });
        return last.spec ?? {};
      } catch (error) {
        if (error instanceof StatusError && error.code === 404) return undefined;
        throw error;
      }
    },
    async create(spec, signal) {
      last = await leases.create({ metadata: { name }, spec }, { signal, retriesMax });
    },
    async write(spec, signal) {
      if (last === undefined) throw new Error('the Lease was not read yet');
      last = await leases.update({ ...last, spec }, { signal, retriesMax });
    },
  };
}

/** As Go writes a MicroTime. */
export function microTime(nowMs: number): string {
  return new Date(nowMs).toISOString().replace('Z', '000Z');
}
