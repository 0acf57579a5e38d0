/** The inputs of random sequences: kinds with possible values, and users. */
import type { Kind } from '../core/kinds.ts';
import type { KindSample } from '../core/rows/samples.ts';
import type { RequestStep } from '../differential/row.ts';
import type { DeliberateDifference } from '../differential/verdict.ts';

export interface Player {
  readonly kind: Kind;
  readonly sample: KindSample;
  readonly subresources: readonly ('status' | 'scale')[];
  /** Its names are those of another one: the same objects in another version. */
  readonly alias?: string;
}

/** The credential of a client; `{token:token}` is that of the service account, which the first step requests. */
export interface Client {
  readonly name: string;
  readonly come: Pick<RequestStep, 'as' | 'headers'>;
}

export interface World {
  readonly name: string;
  readonly players: readonly Player[];
  /** The first one may do everything, and comes more often than all others together. */
  readonly clients: readonly [Client, ...Client[]];
  /** A service account named `robot` has a token. */
  readonly hasRobot: boolean;
  /** The namespace can be deleted, and is refused to creators from then on. */
  readonly endsNamespaces: boolean;
  /** Known differences, in every sequence. */
  readonly differences: readonly DeliberateDifference[];
}
