import { defineFlag, duration, flag, oneOf } from '@tributary/server/program';

/** The flags of both programs that contain an aggregator. Names that upstream has are upstream's. */
export const aggregationFlags = {
  enableAggregatorRouting: defineFlag(
    flag,
    ['enable-aggregator-routing', 'BOOL', 'true'],
    'Route requests to the ready endpoints of a service instead of its cluster IP.',
  ),
  aggregatorRejectForwardingRedirect: defineFlag(
    flag,
    ['aggregator-reject-forwarding-redirect', 'BOOL', 'true'],
    'Respond with 502 to a redirect of an extension API server, instead of forwarding it to the client.',
  ),
  unavailableDiscovery: defineFlag(
    oneOf(['keep', 'stale']),
    ['unavailable-discovery', 'HOW', 'keep'],
    'Discovery of an unavailable server: its last documents unchanged (keep), or marked as stale at once as upstream does (stale).',
  ),
  unavailableDiscoveryPeriod: defineFlag(
    duration,
    ['unavailable-discovery-period', 'DURATION', '24h0m0s'],
    'Time after which the last documents of an unavailable server are marked as stale in any case.',
  ),
} as const;
