import { Service } from '@tributary/api/core-v1';
import { type FieldError, validateDnsLabelName } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import { defineResource, version } from '@tributary/server/definition';
import type { AddressPool } from '../../../addresses/address-pool.ts';
import { metadataErrors } from '../../shared/object-metadata.ts';
import { isGlobalUnicast } from '../shared/proxy/reachable-address.ts';
import { allocateClusterIps, reallocateClusterIps } from './allocate-cluster-ips.ts';
import { allocateNodePorts, reallocateNodePorts } from './allocate-node-ports.ts';
import { serviceColumns } from './columns.ts';
import { applyServiceDefaults } from './defaults.ts';
import {
  dropUnusedFields,
  keepAllocated,
  listClusterIp,
  syncClusterIps,
} from './dependent-fields.ts';
import { setIpFamilies } from './ip-families.ts';
import { serviceProxy } from './proxy.ts';
import { reservations, validateReservations } from './reservations.ts';
import type { Allocated } from './storage-keys.ts';
import { validateServiceStatus, validateServiceUpdate } from './update-validation.ts';
import { validateServiceContent } from './validation.ts';
import { serviceWarnings } from './warnings.ts';

export interface ServiceParts {
  readonly addresses: AddressPool;
  /** The allocation time in IPAddress objects. */
  readonly nowMs?: () => number;
  /** A client of this server, for the endpoints of a proxied service. Without one there is no proxy subresource. */
  readonly client?: () => Client;
}

export function serviceKind({ addresses: pool, nowMs = Date.now, client }: ServiceParts) {
  const families = [pool.range.family];
  /** Hooks see the same object in every step of a write, so it identifies the allocation. */
  const allocatedFor = new WeakMap<Service, Allocated>();
  const startAllocation = (service: Service, dryRun = false): Allocated => {
    const picked: Allocated = { dryRun, keys: new Set() };
    allocatedFor.set(service, picked);
    return picked;
  };
  return defineResource({
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    scope: 'Namespaced',
    names: 'dns-label',
    tracksGeneration: false,
    allowUnconditionalUpdate: true,
    allowCreateOnUpdate: true,
    returnsDeletedObject: true,
    subresources: {
      status: true,
      ...(client && {
        connections: {
          proxy: serviceProxy({
            client,
            isAllowed: isGlobalUnicast,
            primaryFamily: pool.range.family,
          }),
        },
      }),
    },
    lifecycle: {
      atomicWrites: reservations({
        pool,
        wasAllocated: (service, key) => allocatedFor.get(service)?.keys.has(key) ?? false,
        nowMs,
      }),
    },
    versions: {
      v1: version({
        typed: Service,
        columns: serviceColumns,
        restrictsFieldLabels: true,
        selectableFields: ['spec.clusterIP', 'spec.type'],
        applyDefaults: applyServiceDefaults,
        prepareForCreate: (service, context) => {
          const picked = startAllocation(service, context?.dryRun);
          syncClusterIps(service, undefined);
          setIpFamilies(service, undefined, families);
          allocateClusterIps(service, pool, picked);
          allocateNodePorts(service, pool, picked);
          service.status = { loadBalancer: {} };
        },
        prepareForUpdate: (next, live, context) => {
          const picked = startAllocation(next, context?.dryRun);
          keepAllocated(next, live);
          syncClusterIps(next, live);
          setIpFamilies(next, live, families);
          reallocateClusterIps(next, live, { pool, picked });
          reallocateNodePorts(next, live, { pool, picked });
          dropUnusedFields(next, live);
        },
        validate: validateService,
        validateUpdate: (next, live) => [
          ...validateServiceUpdate(next, live),
          ...validateReservations(next, live),
        ],
        validateStatus: validateServiceStatus,
        warnings: serviceWarnings,
        canonicalise: (service) => {
          const { spec } = service;
          // An ExternalName service has no traffic inside of the cluster.
          if (spec.type === 'ExternalName') delete spec.internalTrafficPolicy;
          // A service that becomes ExternalName may keep an address, which upstream returns as a list too.
          listClusterIp(service);
        },
      }),
    },
  });
}

function validateService(service: Service): FieldError[] {
  return [
    ...metadataErrors(service, { namespaced: true, validateName: validateDnsLabelName }),
    ...validateServiceContent(service),
    ...validateReservations(service),
  ];
}
