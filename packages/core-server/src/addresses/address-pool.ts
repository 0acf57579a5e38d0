import type { Service } from '@tributary/api/core-v1';
import { type AddressRange, parseAddressRange, reservedCount } from './address-range.ts';
import { type NumberPool, numberPool, type RandomBelow } from './number-pool.ts';
import { addressesOf, nodePortsOf } from './service-numbers.ts';

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export interface AddressPoolOptions {
  /** The CIDR of cluster IPs, such as `10.0.0.0/24`. */
  readonly range: string;
  /** Default: 30000 to 32767. */
  readonly nodePorts?: PortRange;
  readonly random?: RandomBelow;
  readonly nowMs?: () => number;
}

/** The addresses and node ports that Services may be allocated, and those in use according to an informer. */
export interface AddressPool {
  readonly range: AddressRange;
  readonly portRange: PortRange;
  readonly addresses: NumberPool;
  readonly ports: NumberPool;
  /** Replaces all Services. */
  load(services: Iterable<Service>): void;
  /** Adds or replaces a Service. */
  put(service: Service): void;
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
    for (const number of now.addresses) addresses.allocate(number, owner);
    for (const number of now.ports) ports.allocate(number, owner);
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
    throw new Error(`${first}-${last} is not a valid port range`);
  }
  const reserved = reservedCount(size, { min: 16n, max: 128n, step: 32n });
  return { first: BigInt(first), last: BigInt(last), reserved };
}

/** Not the uid: a watch may miss the deletion of a Service that is created again at once. */
function ownerOf({ metadata }: Service): string {
  return `${metadata.namespace}/${metadata.name}`;
}
