/** What is written together with a service, so that no two ever have the same address or port. */
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
import { addressRefused } from './allocate-cluster-ips.ts';
import { portTaken } from './allocate-node-ports.ts';
import { addressKey, parseReservedKey, portKey, type ReservedKey } from './storage-keys.ts';

export interface ReservationOptions {
  readonly pool: AddressPool;
  /** Whether the service did not ask for what is under the key. */
  readonly wasPicked: (service: Service, key: string) => boolean;
  readonly nowMs: () => number;
}

/** As many keys that should be there and are not are remembered: more than one service can have. */
const MISSING_MAX = 1000;

export function reservations(options: ReservationOptions): AtomicWrites<Service> {
  const { pool, wasPicked, nowMs } = options;
  const form = storedForm('networking.k8s.io/v1', 'IPAddress');
  /** What cannot be deleted because it is not there, for the next attempt. */
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
        // A store that was changed by hand must not keep a service for ever.
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
    ? addressRefused(service, reserved.ip, 'provided IP is already allocated')
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

/** A change of the store has room for the service itself, its namespace and two addresses beside these. */
const PORTS_MAX = CHANGE_KEYS_MAX - 4;

/** Upstream has no such bound: there ports are not written together with the service. */
export function validateReservations(next: Service, live?: Service): FieldError[] {
  const path = root('spec', 'ports');
  const ports = nodePortsOf(next).length;
  if (ports > PORTS_MAX) return [fieldError.tooMany(path, ports, PORTS_MAX)];
  const { added, gone } = changeOf(next, live);
  if (added.length + gone.length < CHANGE_KEYS_MAX) return [];
  const detail = `no more than ${CHANGE_KEYS_MAX - 1} addresses and ports of nodes may change at a time`;
  return [fieldError.forbidden(path, detail)];
}

/** As the original keeps the addresses it has given. */
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
