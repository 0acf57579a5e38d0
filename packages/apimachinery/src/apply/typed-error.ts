/** A violation of the type at a path. */
export interface TypedProblem {
  readonly path: string;
  readonly message: string;
}

export class TypedError extends Error {
  readonly problems: readonly TypedProblem[];

  constructor(problems: readonly TypedProblem[]) {
    super(describe(problems));
    this.name = 'TypedError';
    this.problems = problems;
  }
}

function describe(problems: readonly TypedProblem[]): string {
  const texts = problems.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );
  return texts.length === 1
    ? (texts[0] ?? '')
    : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n');
}
