import type { Service } from '@tributary/api/core-v1';
import { type AddressRange, parseAddressRange, reservedOf } from './address-range.ts';
import { type NumberPool, numberPool, type RandomBelow } from './number-pool.ts';
import { addressesOf, nodePortsOf } from './service-numbers.ts';

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export interface AddressPoolOptions {
  /** Of cluster IPs, such as `10.0.0.0/24`. */
  readonly range: string;
  /** Default: 30000 to 32767. */
  readonly nodePorts?: PortRange;
  readonly random?: RandomBelow;
  readonly nowMs?: () => number;
}

/** What services may be given, and what they have as far as is known: an informer tells. */
export interface AddressPool {
  readonly range: AddressRange;
  readonly portRange: PortRange;
  readonly addresses: NumberPool;
  readonly ports: NumberPool;
  /** These are all there are. */
  load(services: Iterable<Service>): void;
  /** One that is new or has changed. */
  put(service: Service): void;
  /** One that is gone. */
  remove(service: Service): void;
}

const NODE_PORTS: PortRange = { first: 30_000, last: 32_767 };

export function addressPool(options: AddressPoolOptions): AddressPool {
  const { nodePorts: portRange = NODE_PORTS, range: text, ...rest } = options;
  const range = parseAddressRange(text);
  const { first, last, reserved } = range;
  const addresses = numberPool({ first, last, reserved, ...rest });
  const ports = numberPool({ ...portNumbers(portRange), ...rest });
  const held = new Map<string, { addresses: readonly bigint[]; ports: readonly bigint[] }>();

  const release = (owner: string): void => {
    const before = held.get(owner);
    for (const number of before?.addresses ?? []) addresses.release(number, owner);
    for (const number of before?.ports ?? []) ports.release(number, owner);
    held.delete(owner);
  };
  const put = (service: Service): void => {
    const owner = ownerOf(service);
    release(owner);
    const now = {
      addresses: addressesOf(service, range),
      ports: nodePortsOf(service).map(BigInt),
    };
    for (const number of now.addresses) addresses.take(number, owner);
    for (const number of now.ports) ports.take(number, owner);
    held.set(owner, now);
  };
  return {
    range,
    portRange,
    addresses,
    ports,
    load: (services) => {
      held.clear();
      addresses.clear();
      ports.clear();
      for (const service of services) put(service);
    },
    put,
    remove: (service) => release(ownerOf(service)),
  };
}

function portNumbers({ first, last }: PortRange) {
  const size = BigInt(last - first + 1);
  if (first < 1 || last > 65_535 || size < 1n) {
    throw new Error(`${first}-${last} is no range of ports`);
  }
  const reserved = reservedOf(size, { min: 16n, max: 128n, step: 32n });
  return { first: BigInt(first), last: BigInt(last), reserved };
}

/** Not the uid: of a service that was made anew quickly nobody tells that the first one went. */
function ownerOf({ metadata }: Service): string {
  return `${metadata.namespace}/${metadata.name}`;
}
