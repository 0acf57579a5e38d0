/** No usable response: the connection failed, broke, or timed out. */
export class TransportError extends Error {
  /** A code of the system or of Node, such as `ECONNREFUSED`; `ETIMEDOUT` also for our own deadlines. */
  readonly code: string;
  /** False when the server certainly did nothing, so that any request may be sent again. */
  readonly maybeProcessed: boolean;
  /** The connection had served before: the server may have closed it while it was idle. */
  readonly reusedConnection: boolean;

  constructor(
    message: string,
    details: FailureStage & { readonly code: string; readonly cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.name = 'TransportError';
    this.code = details.code;
    this.maybeProcessed = details.maybeProcessed;
    this.reusedConnection = details.reusedConnection;
  }
}

export interface FailureStage {
  readonly maybeProcessed: boolean;
  readonly reusedConnection: boolean;
}

/** Adds the request to an error of Node. */
export function transportError(
  subject: string,
  cause: unknown,
  stage: FailureStage,
): TransportError {
  if (cause instanceof TransportError) return cause;
  return new TransportError(`${subject}: ${reasonOf(cause)}`, {
    code: errorCode(cause),
    ...stage,
    cause,
  });
}

export function errorCode(error: unknown): string {
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'UNKNOWN';
}

/** A host with several addresses fails with one error for each, and no message of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
