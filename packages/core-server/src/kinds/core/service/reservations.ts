/** Keys written in one transaction with a service, so that an address or port belongs to one service only. */
import { randomUUID } from 'node:crypto';
import type { Service } from '@tributary/api/core-v1';
import type { IPAddress } from '@tributary/api/networking-v1';
import {
  type FieldError,
  fieldError,
  formatTime,
  parseIp,
  root,
  type StatusError,
} from '@tributary/apimachinery';
import type { AtomicWrites } from '@tributary/server';
import { storedForm } from '@tributary/server/conversion';
import { ABSENT, CHANGE_KEYS_MAX, type Write } from '@tributary/storage';
import type { AddressPool } from '../../../addresses/address-pool.ts';
import { clusterIpsOf, nodePortsOf } from '../../../addresses/service-numbers.ts';
import { addressError } from './allocate-cluster-ips.ts';
import { portTaken } from './allocate-node-ports.ts';
import { addressKey, parseReservedKey, portKey, type ReservedKey } from './storage-keys.ts';

export interface ReservationOptions {
  readonly pool: AddressPool;
  /** The server chose the value under the key; the client did not request it. */
  readonly wasAllocated: (service: Service, key: string) => boolean;
  readonly nowMs: () => number;
}

/** The bound of remembered missing keys, above what one service can have. */
const MISSING_MAX = 1000;

export function reservations(options: ReservationOptions): AtomicWrites<Service> {
  const { pool, wasAllocated: wasPicked, nowMs } = options;
  const form = storedForm('networking.k8s.io/v1', 'IPAddress');
  /** Keys to delete that do not exist; the next attempt leaves them out. */
  const missing = new Set<string>();
  const contentOf = (key: string, service: Service): Uint8Array => {
    const reserved = parseReservedKey(key);
    return reserved?.kind === 'address'
      ? form.encode(addressObject(reserved.ip, service, nowMs()))
      : Buffer.from(`${service.metadata.namespace}/${service.metadata.name}`);
  };
  return {
    writes: ({ next, live }) => {
      const { added, gone } = changeOf(next, live);
      for (const key of added) missing.delete(key);
      const puts = next === undefined ? [] : added.map((key) => put(key, contentOf(key, next)));
      const deletes = gone.filter((key) => !missing.has(key));
      return {
        require: added.map((key) => ({ key, revision: ABSENT })),
        writes: [...puts, ...deletes.map((key): Write => ({ kind: 'delete', key }))],
      };
    },
    onConflict: (key, { next, live }) => {
      if (changeOf(next, live).gone.includes(key)) {
        // A key deleted by hand must not block updates of its service.
        if (missing.size >= MISSING_MAX) missing.clear();
        missing.add(key);
        return;
      }
      const reserved = parseReservedKey(key);
      if (reserved === undefined || next === undefined) return;
      if (!wasPicked(next, key)) throw taken(next, reserved);
      avoid(pool, reserved);
    },
  };
}

function taken(service: Service, reserved: ReservedKey): StatusError {
  return reserved.kind === 'address'
    ? addressError(service, reserved.ip, 'provided IP is already allocated')
    : portTaken(service, reserved.port);
}

function avoid({ addresses, ports }: AddressPool, reserved: ReservedKey): void {
  if (reserved.kind === 'port') ports.avoid(BigInt(reserved.port));
  else addresses.avoid(parseIp(reserved.ip)?.value ?? 0n);
}

interface KeyChange {
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

function changeOf(next: Service | undefined, live: Service | undefined): KeyChange {
  const wanted = new Set(next === undefined ? [] : keysOf(next));
  const held = new Set(live === undefined ? [] : keysOf(live));
  return {
    added: [...wanted].filter((key) => !held.has(key)),
    gone: [...held].filter((key) => !wanted.has(key)),
  };
}

function put(key: string, value: Uint8Array): Write {
  return { kind: 'put', key, value };
}

function keysOf(service: Service): string[] {
  return [...clusterIpsOf(service).map(addressKey), ...nodePortsOf(service).map(portKey)];
}

/** A transaction also has room for the service, its namespace and two addresses. */
const PORTS_MAX = CHANGE_KEYS_MAX - 4;

/** Upstream has no such bound, because it does not write ports with the service. */
export function validateReservations(next: Service, live?: Service): FieldError[] {
  const path = root('spec', 'ports');
  const ports = nodePortsOf(next).length;
  if (ports > PORTS_MAX) return [fieldError.tooMany(path, ports, PORTS_MAX)];
  const { added, gone } = changeOf(next, live);
  if (added.length + gone.length < CHANGE_KEYS_MAX) return [];
  const detail = `no more than ${CHANGE_KEYS_MAX - 1} addresses and ports of nodes may change at a time`;
  return [fieldError.forbidden(path, detail)];
}

/** The IPAddress object, as upstream stores it. */
function addressObject(ip: string, { metadata }: Service, nowMs: number): IPAddress {
  return {
    kind: 'IPAddress',
    apiVersion: 'networking.k8s.io/v1',
    metadata: {
      name: ip,
      uid: randomUUID(),
      generation: 1,
      creationTimestamp: formatTime(nowMs),
      labels: {
        'ipaddress.kubernetes.io/ip-family': parseIp(ip)?.family ?? '',
        'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
      },
    },
    spec: {
      parentRef: {
        resource: 'services',
        namespace: metadata.namespace ?? '',
        name: metadata.name ?? '',
      },
    },
  };
}
