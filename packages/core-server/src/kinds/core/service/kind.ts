import { Service } from '@tributary/api/core-v1';
import { type FieldError, validateDnsLabelName } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import { defineResource, version } from '@tributary/server/definition';
import type { AddressPool } from '../../../addresses/address-pool.ts';
import { isGlobalUnicast } from '../../reach/reachable-address.ts';
import { serviceProxy } from '../../service/service-proxy.ts';
import { metadataErrors } from '../../shared/object-metadata.ts';
import { giveAddresses, giveAddressesAgain } from './allocate-cluster-ips.ts';
import { giveNodePorts, giveNodePortsAgain } from './allocate-node-ports.ts';
import { serviceColumns } from './columns.ts';
import { applyServiceDefaults } from './defaults.ts';
import { dropMeaningless, keepGiven, listClusterIp, settleClusterIps } from './dependent-fields.ts';
import { settleFamilies } from './ip-families.ts';
import { reservations, validateReservations } from './reservations.ts';
import type { Picked } from './storage-keys.ts';
import { validateServiceStatus, validateServiceUpdate } from './update-validation.ts';
import { validateServiceContent } from './validation.ts';
import { serviceWarnings } from './warnings.ts';

export interface ServiceParts {
  readonly addresses: AddressPool;
  /** When addresses are given, as these objects say. */
  readonly nowMs?: () => number;
  /** The server itself, for what is behind a service. Without one, requests are not passed on. */
  readonly client?: () => Client;
}

export function serviceKind({ addresses: pool, nowMs = Date.now, client }: ServiceParts) {
  const families = [pool.range.family];
  /** What is prepared is what is written: the same object, with other content perhaps. */
  const pickedBy = new WeakMap<Service, Picked>();
  const startPicking = (service: Service, dryRun = false): Picked => {
    const picked: Picked = { dryRun, keys: new Set() };
    pickedBy.set(service, picked);
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
        wasPicked: (service, key) => pickedBy.get(service)?.keys.has(key) ?? false,
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
          const picked = startPicking(service, context?.dryRun);
          settleClusterIps(service, undefined);
          settleFamilies(service, undefined, families);
          giveAddresses(service, pool, picked);
          giveNodePorts(service, pool, picked);
          service.status = { loadBalancer: {} };
        },
        prepareForUpdate: (next, live, context) => {
          const picked = startPicking(next, context?.dryRun);
          keepGiven(next, live);
          settleClusterIps(next, live);
          settleFamilies(next, live, families);
          giveAddressesAgain(next, live, { pool, picked });
          giveNodePortsAgain(next, live, { pool, picked });
          dropMeaningless(next, live);
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
          // Nothing inside the cluster goes to a name outside.
          if (spec.type === 'ExternalName') delete spec.internalTrafficPolicy;
          // One that becomes a name outside may have kept an address; upstream shows it as a list whenever it is read.
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
