/** Invalid JSON, or a number out of the range of float64. The message is that of Go's `encoding/json`. */
export class JsonError extends Error {
  /** `value` means that the JSON is well-formed but cannot be decoded. */
  readonly problem: 'syntax' | 'value';

  constructor(problem: 'syntax' | 'value', message: string) {
    super(message);
    this.name = 'JsonError';
    this.problem = problem;
  }
}
