import type { DirectRoute, ProbeResponse, Probes } from '../probes/probes.ts';

/** Directly as the aggregator does, or through the aggregator when the server or the client certificate is out of reach. */
export type RequestPath =
  | { readonly via: 'direct'; readonly route: DirectRoute }
  | { readonly via: 'aggregator' };

export interface RequestOptions {
  readonly path: string;
  readonly as: keyof typeof GROUPS;
}

const GROUPS = {
  administrator: ['system:masters'],
  'ordinary user': ['system:authenticated'],
} as const;

/** Longer than the aggregator's own timeout, to tell a slow server from one that does not respond. */
const TIMEOUT_MS = 10_000;

export function requestAs(
  probes: Probes,
  requestPath: RequestPath,
  { path, as }: RequestOptions,
): Promise<ProbeResponse> {
  const request = { path, timeoutMs: TIMEOUT_MS };
  if (requestPath.via === 'aggregator') return probes.requestThroughAggregator(request);
  return probes.requestDirectly(requestPath.route, { ...request, groups: GROUPS[as] });
}
