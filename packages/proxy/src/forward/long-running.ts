import type { LongRunningCheck } from '@tributary/server/request';

const VERBS = new Set(['watch', 'proxy']);
const SUBRESOURCES = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/**
 * Requests that live as long as their client and their backend. As upstream, names alone decide: the semantics of a
 * path are known only to the backend.
 */
export const isForwardedLongRunning: LongRunningCheck = ({
  verb,
  isResourceRequest,
  subresource,
}) => VERBS.has(verb) || (isResourceRequest && SUBRESOURCES.has(subresource));
