/** Where in the text something stands: line from 1, column from 0, as upstream counts. */
export interface Location {
  readonly line: number;
  readonly column: number;
}

/**
 * An error of evaluation. It is a value: operators pass it on or absorb it (`false && error` is
 * false), so it is returned, not thrown, and carries no stack.
 */
export class CelError {
  readonly message: string;
  /** The part of the text that failed; set once, by the innermost expression. */
  readonly position: number | undefined;

  constructor(message: string, position?: number) {
    this.message = message;
    this.position = position;
  }
}

/** Constructor of the errors of functions. */
export function celError(message: string): CelError {
  return new CelError(message);
}

export const NO_SUCH_OVERLOAD: CelError = celError('no such overload');

/** The run-time budget is spent; nothing in an expression can absorb this. */
export class CostLimitExceeded extends Error {
  override readonly name = 'CostLimitExceeded';

  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}
