import type { CoreFlags } from '@tributary/core-server';
import {
  defineFlag,
  duration,
  FlagError,
  type FlagValue,
  type FlagValues,
  flag,
  list,
  oneOf,
} from '@tributary/server/program';

/** Servers that come along, by name. */
export const samples = ['wardle'] as const;
export type SampleName = (typeof samples)[number];

const sampleNames: FlagValue<readonly SampleName[]> = (value, name) => {
  if (value === 'none') return [];
  return list(value, name).map((one) => {
    const known = samples.find((sample) => sample === one);
    if (known === undefined) {
      throw new FlagError(`--${name} ${one}: there are: ${samples.join(', ')}, or none`);
    }
    return known;
  });
};

/** What a control plane with an aggregator has beside. Names that upstream has are upstream's. */
export const gatewayFlags = {
  enableAggregatorRouting: defineFlag(
    flag,
    ['enable-aggregator-routing', 'BOOL', 'true'],
    'send requests to the ready endpoints of a service; otherwise to its cluster IP, where something must listen',
  ),
  aggregatorRejectForwardingRedirect: defineFlag(
    flag,
    ['aggregator-reject-forwarding-redirect', 'BOOL', 'true'],
    'answer 502 when an extension server redirects, instead of passing the redirect on',
  ),
  unavailableDiscovery: defineFlag(
    oneOf(['keep', 'stale']),
    ['unavailable-discovery', 'HOW', 'keep'],
    'how an unavailable server is listed: keep its last documents as they were, or call them stale at once as upstream does',
  ),
  unavailableDiscoveryPeriod: defineFlag(
    duration,
    ['unavailable-discovery-period', 'DURATION', '24h0m0s'],
    'after this time kept documents are called stale, too',
  ),
  namespaceDeletion: defineFlag(
    oneOf(['debt', 'wait']),
    ['namespace-deletion', 'HOW', 'debt'],
    'what becomes of a namespace with objects on an unavailable server: it goes and the rest is deleted later (debt), or it waits',
  ),
  namespaceDeletionGrace: defineFlag(
    duration,
    ['namespace-deletion-grace', 'DURATION', '1m0s'],
    'how long a namespace waits for an unavailable server before it goes in debt',
  ),
  sample: defineFlag(
    sampleNames,
    ['sample', 'NAMES', 'none'],
    `sample servers to run behind the aggregator, as programs of their own: ${samples.join(', ')}, or none`,
  ),
} as const;

export type GatewayFlags = CoreFlags & FlagValues<typeof gatewayFlags>;
