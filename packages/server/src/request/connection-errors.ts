/** Another server began an answer that was passed on, and did not end it. The client's connection breaks, too. */
export class IncompleteResponse extends Error {
  override readonly name = 'AnswerBroken';

  constructor(cause: unknown) {
    super('the server that was asked did not complete its answer', { cause });
  }
}

/** The other side closed the connection: nobody is left to be answered. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientGone';

  constructor() {
    super('the client closed the connection');
  }
}
