import { Lease } from '@tributary/api/coordination-v1';
import type { ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { validateLease, validateLeaseUpdate } from './validation.ts';

export interface LeaseOptions {
  /** Enables `strategy` and `preferredHolder`. Upstream's feature gate is off by default. */
  readonly coordinatedLeaderElection?: boolean;
}

export function leaseKind(options: LeaseOptions = {}): ResourceDefinition<Lease> {
  const { coordinatedLeaderElection = false } = options;
  return defineResource({
    kind: 'Lease',
    plural: 'leases',
    scope: 'Namespaced',
    tracksGeneration: false,
    allowCreateOnUpdate: true,
    versions: {
      v1: version({
        typed: Lease,
        columns: [
          {
            name: 'Holder',
            description: 'The identity of the holder',
            cell: ({ spec }) => spec.holderIdentity ?? '',
          },
        ],
        prepareForCreate: ({ spec }) => {
          if (coordinatedLeaderElection) return;
          delete spec.strategy;
          delete spec.preferredHolder;
        },
        prepareForUpdate: ({ spec }, live) => {
          if (coordinatedLeaderElection) return;
          // Values stored while the gate was on may stay.
          if (live.spec.strategy === undefined) delete spec.strategy;
          if (live.spec.preferredHolder === undefined) delete spec.preferredHolder;
        },
        validate: validateLease,
        validateUpdate: validateLeaseUpdate,
      }),
    },
  });
}
