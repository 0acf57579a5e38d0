import type { Filter } from '../request/pipeline.ts';

/** Connections of HTTP/2 live long: some are ended now and then, so that load spreads over servers added later. */
export const withGoaway =
  ({ chance, random }: { chance: number; random: () => number }): Filter =>
  (next) =>
  (request) => {
    if (request.peer.goAway !== undefined && random() < chance) request.peer.goAway();
    return next(request);
  };
