/** Reasons why an object cannot be decided now. None of them means that it does not exist. */

/** No server serves the kind, as far as discovered. */
export class UnknownKind extends Error {
  readonly apiVersion: string;

  constructor(apiVersion: string, kind: string) {
    super(`unable to get REST mapping for ${apiVersion}/${kind}.`);
    this.name = 'UnknownKind';
    this.apiVersion = apiVersion;
  }
}

/** The server of the group version is unavailable. */
export class GroupUnavailable extends Error {
  readonly apiVersion: string;

  constructor(apiVersion: string, reason: string) {
    super(`${apiVersion} is unavailable: ${reason}`);
    this.name = 'GroupAway';
    this.apiVersion = apiVersion;
  }
}

/** The server of the group version has as many requests as allowed. */
export class GroupBusy extends Error {
  readonly apiVersion: string;

  constructor(apiVersion: string) {
    super(`${apiVersion} has too many concurrent requests`);
    this.name = 'GroupBusy';
    this.apiVersion = apiVersion;
  }
}

/** The object exists, but the graph does not have it yet. */
export class NotObserved extends Error {
  constructor() {
    super('no watch has reported the object yet');
    this.name = 'NotSeenYet';
  }
}

/** A cluster-scoped object refers to a namespaced owner, which is never valid, so it is not retried. */
export class NamespacedOwner extends Error {
  constructor() {
    super('cluster-scoped objects cannot refer to namespaced owners');
    this.name = 'NamespacedOwner';
  }
}
