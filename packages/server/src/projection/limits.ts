/** The bounds of a projection, with the behaviour at each bound. */
export interface ProjectionLimits {
  /** The timeout of every call of the source; beyond it the source counts as unavailable. */
  readonly callTimeoutMs: number;
  /** The time in which the source must report a change that it has accepted; beyond it the outcome is unknown. */
  readonly seenTimeoutMs: number;
  /** The outage of the source after which reads fail and watches end. Until then reads return the last known state. */
  readonly toleratedOutageMs: number;
  /** Changes that watches can resume from; older revisions get 410. */
  readonly historyEventsMax: number;
  readonly historyBytesMax: number;
  /** A projection with more objects is unavailable: it is held in memory, twice with its cache. */
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
