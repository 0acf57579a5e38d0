import { type KubeObject, StatusError } from '@tributary/apimachinery';
import type { ResourceClient } from '../resource/resource-client.ts';
import type { ResourceType } from '../resource/resource-path.ts';

/** Who holds a Lease of `coordination.k8s.io/v1`, and for how long. */
export type Lease = KubeObject & { readonly spec?: LeaseSpec };

export interface LeaseSpec {
  /** Empty when it was given back. */
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  /** With microseconds. */
  readonly acquireTime?: string;
  readonly renewTime?: string;
  /** How often it went from one holder to another. */
  readonly leaseTransitions?: number;
}

export const LEASES: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  namespaced: true,
};

/** One Lease, read and written on the condition that nobody else has changed it. */
export interface LeaseLock {
  /** Nothing when there is none. */
  read(signal: AbortSignal): Promise<LeaseSpec | undefined>;
  create(spec: LeaseSpec, signal: AbortSignal): Promise<void>;
  /** Replaces what was read or written last. */
  write(spec: LeaseSpec, signal: AbortSignal): Promise<void>;
}

export function leaseLock(leases: ResourceClient<Lease>, name: string): LeaseLock {
  let last: Lease | undefined;
  // Whether to try again is for the election to decide, which has pauses and deadlines of its own.
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
