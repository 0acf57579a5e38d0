/** A backend ended a proxied response early; the client's connection is closed as well. */
export class IncompleteResponse extends Error {
  override readonly name = 'AnswerBroken';

  constructor(cause: unknown) {
    super('the server that was asked did not complete its answer', { cause });
  }
}

/** The client closed its connection. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientGone';

  constructor() {
    super('the client closed the connection');
  }
}
