import type { Client } from '../resource/client.ts';
import type { Clock } from '../timing/clock.ts';
import type { SharedInformers } from './shared-informers.ts';

type LogFields = Readonly<Record<string, string | number | boolean>>;

/** The part of a program's logger that controllers use. */
export interface ControllerLog {
  info(message: string, fields?: LogFields): void;
  /** Logged only at this verbosity and above. */
  verbose(level: number, message: string, fields?: LogFields): void;
  error(error: unknown, message: string, fields?: LogFields): void;
}

/** The dependencies of every controller. */
export interface ControllerDependencies {
  readonly client: Client;
  readonly informers: SharedInformers;
  readonly clock: Clock;
  readonly log: ControllerLog;
  /** Stops the controller. */
  readonly signal: AbortSignal;
}
