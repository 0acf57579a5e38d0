import type { Client, Clock } from '@tributary/client';
import type { Logger } from '@tributary/server';
import type { SharedInformers } from './shared-informers.ts';

/** What every controller is given. */
export interface ControllerSurroundings {
  /** The server, as an administrator. */
  readonly client: Client;
  readonly informers: SharedInformers;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends everything. */
  readonly signal: AbortSignal;
}
