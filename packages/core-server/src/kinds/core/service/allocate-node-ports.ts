/** Allocates node ports: the requested ones, or random ones. */

import type { Service, ServicePort } from '@tributary/api/core-v1';
import {
  fieldError,
  internalError,
  invalid,
  root,
  type StatusError,
} from '@tributary/apimachinery';
import type { AddressPool } from '../../../addresses/address-pool.ts';
import { nodePortsOf } from '../../../addresses/service-numbers.ts';
import { plainError } from '../../shared/plain-failure.ts';
import { getsNodePorts, mayHaveNodePorts, needsHealthCheck } from './service-facts.ts';
import { type Allocated, portKey } from './storage-keys.ts';

const TAKEN = 'provided port is already allocated';
/** The node port in dry runs: never allocated, or the one after the last requested port. */
const DRY_RUN_FIRST = 32_769;

export function allocateNodePorts(service: Service, pool: AddressPool, picked: Allocated): void {
  const allocation = new PortAllocation(service, { pool, picked, own: new Set() });
  if (mayHaveNodePorts(service)) allocatePorts(service, allocation);
  if (needsHealthCheck(service)) allocateHealthCheckPort(service, allocation);
}

/** The service keeps its ports. */
export function reallocateNodePorts(
  next: Service,
  live: Service,
  { pool, picked }: { pool: AddressPool; picked: Allocated },
): void {
  const own = new Set((live.spec.ports ?? []).map(({ nodePort = 0 }) => nodePort));
  const allocation = new PortAllocation(next, { pool, picked, own });
  if (mayHaveNodePorts(next)) reallocatePorts(next, allocation);
  if (needsHealthCheck(next) && !needsHealthCheck(live)) allocateHealthCheckPort(next, allocation);
}

function reallocatePorts(service: Service, allocation: PortAllocation): void {
  const known = new Set<string>();
  for (const [index, port] of (service.spec.ports ?? []).entries()) {
    if (port.nodePort) allocation.require(index, port.nodePort);
    else if (getsNodePorts(service)) port.nodePort = allocation.pick();
    else continue;
    const text = `${port.protocol} ${port.nodePort}`;
    // Upstream allocates ports before it validates them, so this is an internal error.
    if (known.has(text)) throw plainError(`duplicate nodePort: {${text}}`);
    known.add(text);
  }
}

/** Ports with the same number, of TCP and UDP, share a node port. */
function allocatePorts(service: Service, allocation: PortAllocation): void {
  const { ports = [] } = service.spec;
  const byPort = new Map<number, number>();
  for (const [index, port] of ports.entries()) {
    if (!port.nodePort && !getsNodePorts(service)) continue;
    const shared = byPort.get(port.port);
    if (shared === undefined) {
      const wanted = wantedFor(port.port, ports);
      if (wanted !== undefined) allocation.requireNew(index, wanted);
      port.nodePort = wanted ?? allocation.pick();
      byPort.set(port.port, port.nodePort);
    } else if (!port.nodePort) {
      port.nodePort = shared;
    } else if (port.nodePort !== shared) {
      allocation.requireNew(index, port.nodePort);
    }
  }
}

function wantedFor(number: number, ports: readonly ServicePort[]): number | undefined {
  return ports.find(({ port, nodePort }) => port === number && nodePort)?.nodePort;
}

function allocateHealthCheckPort({ spec }: Service, allocation: PortAllocation): void {
  const wanted = spec.healthCheckNodePort;
  if (!wanted) {
    spec.healthCheckNodePort = allocation.pick('failed to allocate a HealthCheck NodePort 0');
    return;
  }
  const why = allocation.errorOf(wanted);
  if (why !== undefined) throw healthCheckPortError(wanted, why);
  allocation.keep(wanted);
}

interface GivingOptions {
  readonly pool: AddressPool;
  readonly picked: Allocated;
  /** Node ports of the live service. */
  readonly own: ReadonlySet<number>;
}

/** The ports allocated for one service in one request, each once. */
class PortAllocation {
  readonly #service: Service;
  readonly #options: GivingOptions;
  readonly #given = new Set<number>();

  constructor(service: Service, options: GivingOptions) {
    this.#service = service;
    this.#options = options;
  }

  /** Takes a requested port, which the service may have already. */
  require(index: number, port: number): void {
    if (!this.#options.own.has(port) && !this.#given.has(port)) this.requireNew(index, port);
  }

  requireNew(index: number, port: number): void {
    const why = this.errorOf(port);
    if (why !== undefined) throw invalidPort(this.#service, { index, port, why });
    this.keep(port);
  }

  errorOf(port: number): string | undefined {
    const { pool, picked } = this.#options;
    const { first, last } = pool.portRange;
    if (this.#given.has(port)) return TAKEN;
    // Upstream checks the range only when it allocates, and in dry runs only the bitmap.
    if (picked.dryRun) return pool.ports.isAllocated(BigInt(port)) ? TAKEN : undefined;
    if (pool.ports.contains(BigInt(port))) return undefined;
    return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
  }

  keep(port: number): void {
    this.#given.add(port);
  }

  pick(failure = 'failed to allocate a nodePort'): number {
    const { pool, picked } = this.#options;
    if (picked.dryRun) {
      const port = this.#given.size === 0 ? DRY_RUN_FIRST : Math.max(...this.#given) + 1;
      this.keep(port);
      return port;
    }
    // Ports further down may request theirs.
    const except = new Set([...this.#given, ...nodePortsOf(this.#service)].map(BigInt));
    const number = pool.ports.pick(except);
    if (number === undefined) throw internalError(new Error(`${failure}: range is full`));
    const port = Number(number);
    picked.keys.add(portKey(port));
    this.keep(port);
    return port;
  }
}

function invalidPort(
  { metadata }: Service,
  { index, port, why }: { index: number; port: number; why: string },
): StatusError {
  const path = root('spec', 'ports').index(index).child('nodePort');
  return invalid({ group: '', kind: 'Service' }, metadata.name ?? '', [
    fieldError.invalid(path, port, why),
  ]);
}

function healthCheckPortError(port: number, why: string): StatusError {
  return internalError(
    new Error(`failed to allocate requested HealthCheck NodePort ${port}: ${why}`),
  );
}

/** Another service has the requested port. */
export function portTaken(service: Service, port: number): StatusError {
  const index = (service.spec.ports ?? []).findIndex(({ nodePort }) => nodePort === port);
  return index < 0
    ? healthCheckPortError(port, TAKEN)
    : invalidPort(service, { index, port, why: TAKEN });
}
