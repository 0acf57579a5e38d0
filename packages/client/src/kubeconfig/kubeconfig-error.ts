/** A kubeconfig that cannot be used. The message begins with the file and the field at fault. */
export class KubeconfigError extends Error {
  readonly file: string;
  /** As in `users["admin"].user.token`; empty when the whole file is at fault. */
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
