/** What a projection may take, and what happens beyond. */
export interface ProjectionLimits {
  /** Every call of the source; beyond, it counts as unavailable. */
  readonly callTimeoutMs: number;
  /** How long the source may take to tell of a write that it has answered; beyond, the outcome is unknown. */
  readonly seenTimeoutMs: number;
  /** So long may the source be gone before reads fail and watches end. Until then they are as of then. */
  readonly toleratedOutageMs: number;
  /** Changes that can be watched from; older revisions get 410. */
  readonly historyEventsMax: number;
  readonly historyBytesMax: number;
  /** A projection with more objects is unavailable: it is held in memory, twice over with its cache. */
  readonly objectsMax: number;
}

export const defaultLimits: ProjectionLimits = {
  callTimeoutMs: 30_000,
  seenTimeoutMs: 10_000,
  toleratedOutageMs: 5_000,
  historyEventsMax: 10_000,
  historyBytesMax: 64 * 1024 * 1024,
  objectsMax: 100_000,
};
