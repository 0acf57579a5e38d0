import type { Filter } from '../request/pipeline.ts';

/**
 * HTTP/2 connections live long: some are closed now and then, so that load spreads to servers that were added later.
 */
export const withGoaway =
  ({ chance, random }: { chance: number; random: () => number }): Filter =>
  (next) =>
  (request) => {
    if (request.peer.goAway !== undefined && random() < chance) request.peer.goAway();
    return next(request);
  };
