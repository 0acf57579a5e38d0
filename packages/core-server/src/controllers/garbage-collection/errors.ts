/** Reasons why nothing can be said of an object at present. None of them means that it is not there. */

/** Nobody serves the kind, or nobody has said so yet. */
export class UnknownKind extends Error {
  readonly apiVersion: string;

  constructor(apiVersion: string, kind: string) {
    super(`unable to get REST mapping for ${apiVersion}/${kind}.`);
    this.name = 'UnknownKind';
    this.apiVersion = apiVersion;
  }
}

/** The server of the group version cannot be asked. */
export class GroupAway extends Error {
  readonly apiVersion: string;

  constructor(apiVersion: string, why: string) {
    super(`${apiVersion} cannot be asked: ${why}`);
    this.name = 'GroupAway';
    this.apiVersion = apiVersion;
  }
}

/** Enough is asked of the server at the moment. */
export class GroupBusy extends Error {
  readonly apiVersion: string;

  constructor(apiVersion: string) {
    super(`${apiVersion} is asked for others`);
    this.name = 'GroupBusy';
    this.apiVersion = apiVersion;
  }
}

/** It is there, and the graph has not heard of it yet. */
export class NotSeenYet extends Error {
  constructor() {
    super('no watch has told of it yet');
    this.name = 'NotSeenYet';
  }
}

/** An object without a namespace refers to one that has one: that is never right, so it is not tried again. */
export class NamespacedOwner extends Error {
  constructor() {
    super('cluster-scoped objects cannot refer to namespaced owners');
    this.name = 'NamespacedOwner';
  }
}
