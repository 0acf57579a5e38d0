/** A parser that meets foreign bytes, and how it is judged. */
export interface FuzzTarget {
  readonly name: string;
  /** `corpus/NAME.json`: inputs that are kept. Text unless the target says hex. */
  readonly corpus: string;
  readonly encoding?: 'utf8' | 'latin1' | 'hex';
  /** Pieces that mean something to the parser, in the same encoding. */
  readonly tokens: readonly string[];
  readonly bytesMax?: number;
  /**
   * Parses, compares with the reference where there is one, and returns a word for the outcome: new outcomes are what
   * further inputs are made from. Throws an error that `refuses` knows when the parser refuses the input, and any other
   * error when the parser or the comparison failed.
   */
  run(input: Buffer): string | Promise<string>;
  refuses(error: unknown): boolean;
}

/** The parsers' own errors. A RangeError, a TypeError or an assertion is a failure, whatever is listed. */
export function errorsOf(...classes: readonly (new (...args: never[]) => Error)[]) {
  return (error: unknown): boolean =>
    error instanceof Error && classes.some((one) => error.constructor === one);
}
