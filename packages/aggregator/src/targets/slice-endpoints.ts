import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { validateEndpointIp } from '@tributary/apimachinery';
import { root } from '@tributary/server';

/** An address and the port of its slice. */
export interface SliceEndpoint {
  readonly address: string;
  readonly port: number;
}

export interface SliceEndpoints {
  readonly usable: readonly SliceEndpoint[];
  /** Ready endpoints in a range where endpoints are not allowed, with the reason. */
  readonly refused: readonly string[];
}

export interface EndpointOptions {
  /** The name of the Service's port, which its slices repeat; empty for an unnamed port. */
  readonly portName: string;
  /** The family that is preferred while it has endpoints; undefined: none. */
  readonly primaryFamily: string | undefined;
  readonly allowLoopback: boolean;
}

/** The ready endpoints of a Service's slices without duplicates, of its first family if that has any. */
export function sliceEndpoints(
  slices: readonly EndpointSlice[],
  options: EndpointOptions,
): SliceEndpoints {
  const usable = new Map<string, SliceEndpoint>();
  const refused = new Set<string>();
  const [first, others] = byFamily(slices, options.primaryFamily);
  for (const some of [first, others]) {
    for (const slice of some) collect(slice, options, { usable, refused });
    if (usable.size > 0) break;
  }
  return { usable: [...usable.values()], refused: [...refused].sort() };
}

function byFamily(slices: readonly EndpointSlice[], family: string | undefined) {
  const isFirst = ({ addressType }: EndpointSlice) =>
    family === undefined || addressType === family;
  return [slices.filter(isFirst), slices.filter((slice) => !isFirst(slice))] as const;
}

function collect(
  slice: EndpointSlice,
  { portName, allowLoopback }: EndpointOptions,
  { usable, refused }: { usable: Map<string, SliceEndpoint>; refused: Set<string> },
): void {
  const ports = (slice.ports ?? []).flatMap(({ name, port }) =>
    name === portName && port !== undefined ? [port] : [],
  );
  for (const { addresses, conditions } of slice.endpoints ?? []) {
    // As upstream: the first of several addresses counts, and an absent condition means ready.
    const [address] = addresses ?? [];
    if (address === undefined || conditions?.ready === false) continue;
    const problem =
      slice.addressType === 'FQDN' ? undefined : addressProblem(address, allowLoopback);
    for (const port of ports) {
      if (problem === undefined) usable.set(`${address} ${port}`, { address, port });
      else refused.add(`${address} ${problem}`);
    }
  }
}

/** Also checks slices that were stored under other validation rules. */
function addressProblem(address: string, allowLoopback: boolean): string | undefined {
  return validateEndpointIp(root('addresses'), address, { allowLoopback })[0]?.detail;
}
