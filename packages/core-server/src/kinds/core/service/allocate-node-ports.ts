/** Ports on every node: those that are asked for, and random ones for services whose type has them. */

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
import { plainFailure } from '../../shared/plain-failure.ts';
import { getsNodePorts, mayHaveNodePorts, needsHealthCheck } from './service-facts.ts';
import { type Picked, portKey } from './storage-keys.ts';

const TAKEN = 'provided port is already allocated';
/** What a dry run is told: a port that is never given, or the one after the last that was asked for by number. */
const DRY_RUN_FIRST = 32_769;

export function giveNodePorts(service: Service, pool: AddressPool, picked: Picked): void {
  const giving = new Giving(service, { pool, picked, own: new Set() });
  if (mayHaveNodePorts(service)) giveToPorts(service, giving);
  if (needsHealthCheck(service)) giveHealthCheckPort(service, giving);
}

/** Ports that the service has stay its own. */
export function giveNodePortsAgain(
  next: Service,
  live: Service,
  { pool, picked }: { pool: AddressPool; picked: Picked },
): void {
  const own = new Set((live.spec.ports ?? []).map(({ nodePort = 0 }) => nodePort));
  const giving = new Giving(next, { pool, picked, own });
  if (mayHaveNodePorts(next)) giveToPortsAgain(next, giving);
  if (needsHealthCheck(next) && !needsHealthCheck(live)) giveHealthCheckPort(next, giving);
}

function giveToPortsAgain(service: Service, giving: Giving): void {
  const known = new Set<string>();
  for (const [index, port] of (service.spec.ports ?? []).entries()) {
    if (port.nodePort) giving.require(index, port.nodePort);
    else if (getsNodePorts(service)) port.nodePort = giving.pick();
    else continue;
    const text = `${port.protocol} ${port.nodePort}`;
    // Upstream gives ports before it validates them, and has no better words for this.
    if (known.has(text)) throw plainFailure(`duplicate nodePort: {${text}}`);
    known.add(text);
  }
}

/** Ports of one number, of TCP and UDP, share theirs on the nodes. */
function giveToPorts(service: Service, giving: Giving): void {
  const { ports = [] } = service.spec;
  const byPort = new Map<number, number>();
  for (const [index, port] of ports.entries()) {
    if (!port.nodePort && !getsNodePorts(service)) continue;
    const shared = byPort.get(port.port);
    if (shared === undefined) {
      const wanted = wantedFor(port.port, ports);
      if (wanted !== undefined) giving.requireNew(index, wanted);
      port.nodePort = wanted ?? giving.pick();
      byPort.set(port.port, port.nodePort);
    } else if (!port.nodePort) {
      port.nodePort = shared;
    } else if (port.nodePort !== shared) {
      giving.requireNew(index, port.nodePort);
    }
  }
}

function wantedFor(number: number, ports: readonly ServicePort[]): number | undefined {
  return ports.find(({ port, nodePort }) => port === number && nodePort)?.nodePort;
}

function giveHealthCheckPort({ spec }: Service, giving: Giving): void {
  const wanted = spec.healthCheckNodePort;
  if (!wanted) {
    spec.healthCheckNodePort = giving.pick('failed to allocate a HealthCheck NodePort 0');
    return;
  }
  const why = giving.whyNot(wanted);
  if (why !== undefined) throw healthCheckRefused(wanted, why);
  giving.keep(wanted);
}

interface GivingOptions {
  readonly pool: AddressPool;
  readonly picked: Picked;
  /** What the service had before. */
  readonly own: ReadonlySet<number>;
}

/** What one service is given at a time: nothing twice. */
class Giving {
  readonly #service: Service;
  readonly #options: GivingOptions;
  readonly #given = new Set<number>();

  constructor(service: Service, options: GivingOptions) {
    this.#service = service;
    this.#options = options;
  }

  /** One that may be its own already. */
  require(index: number, port: number): void {
    if (!this.#options.own.has(port) && !this.#given.has(port)) this.requireNew(index, port);
  }

  requireNew(index: number, port: number): void {
    const why = this.whyNot(port);
    if (why !== undefined) throw portRefused(this.#service, { index, port, why });
    this.keep(port);
  }

  whyNot(port: number): string | undefined {
    const { pool, picked } = this.#options;
    const { first, last } = pool.portRange;
    if (this.#given.has(port)) return TAKEN;
    // The original looks at the range only when it really takes the port, and otherwise at what it knows.
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
    // Ports that follow may ask for theirs by number.
    const except = new Set([...this.#given, ...nodePortsOf(this.#service)].map(BigInt));
    const number = pool.ports.pick(except);
    if (number === undefined) throw internalError(new Error(`${failure}: range is full`));
    const port = Number(number);
    picked.keys.add(portKey(port));
    this.keep(port);
    return port;
  }
}

function portRefused(
  { metadata }: Service,
  { index, port, why }: { index: number; port: number; why: string },
): StatusError {
  const path = root('spec', 'ports').index(index).child('nodePort');
  return invalid({ group: '', kind: 'Service' }, metadata.name ?? '', [
    fieldError.invalid(path, port, why),
  ]);
}

function healthCheckRefused(port: number, why: string): StatusError {
  return internalError(
    new Error(`failed to allocate requested HealthCheck NodePort ${port}: ${why}`),
  );
}

/** Somebody else has a port that was asked for by number. */
export function portTaken(service: Service, port: number): StatusError {
  const index = (service.spec.ports ?? []).findIndex(({ nodePort }) => nodePort === port);
  return index < 0
    ? healthCheckRefused(port, TAKEN)
    : portRefused(service, { index, port, why: TAKEN });
}
