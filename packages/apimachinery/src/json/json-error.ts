/** Bytes that are no JSON, or that hold a number which no float64 can hold. The message is Go's. */
export class JsonError extends Error {
  /** A document with a bad `value` is well-formed; only its use as an object fails. */
  readonly problem: 'syntax' | 'value';

  constructor(problem: 'syntax' | 'value', message: string) {
    super(message);
    this.name = 'JsonError';
    this.problem = problem;
  }
}
