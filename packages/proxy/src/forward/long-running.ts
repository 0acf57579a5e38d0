import type { LongRunningCheck } from '@tributary/server/request';

const VERBS = new Set(['watch', 'proxy']);
const SUBRESOURCES = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/**
 * What lives as long as its client and the server behind want. As upstream, it is told by names alone: nobody here
 * knows what another server does under a path.
 */
export const isForwardedLongRunning: LongRunningCheck = ({
  verb,
  isResourceRequest,
  subresource,
}) => VERBS.has(verb) || (isResourceRequest && SUBRESOURCES.has(subresource));
