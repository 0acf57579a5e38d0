/** An invalid kubeconfig. The message begins with the file and the field. */
export class KubeconfigError extends Error {
  readonly file: string;
  /** Such as `users["admin"].user.token`; empty when the whole file is invalid. */
  readonly field: string;

  constructor(
    where: { readonly file: string; readonly field?: string },
    problem: string,
    options?: ErrorOptions,
  ) {
    const { file, field = '' } = where;
    super([file, field, problem].filter((part) => part !== '').join(': '), options);
    this.name = 'KubeconfigError';
    this.file = file;
    this.field = field;
  }
}
