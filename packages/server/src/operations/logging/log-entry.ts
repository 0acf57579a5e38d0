export type LogFields = Readonly<Record<string, string | number | boolean>>;

export interface LogEntry {
  readonly severity: 'info' | 'error';
  readonly level: number;
  readonly message: string;
  readonly fields: LogFields;
  readonly problem?: unknown;
}
