/** Where objects are changed and followed: one server, and every way to it. */
import type { KeyPair } from '../harness/index.ts';
import type { CuttingProxy } from './cutting-proxy.ts';

export interface Site {
  /** They lead to the same objects; the first one to the server that keeps them. */
  readonly entrances: readonly [Entrance, ...Entrance[]];
  /** Processes killed under load, in this order and then from the start again. */
  readonly victims: readonly Victim[];
  /** Between other servers and the first one; calm until a run stirs them. */
  readonly links: readonly CuttingProxy[];
  /**
   * The server takes every client for system:anonymous in the first moments after a start. The Go library does: its
   * informer for the ConfigMap with the client CAs is not waited for, neither before the port opens nor by /readyz.
   */
  readonly startsAnonymous?: true;
}

export interface Entrance {
  /** Behind the name of an informer that comes this way: `directly`. */
  readonly name: string;
  readonly ca: string;
  readonly user: KeyPair;
  /** Where it listens now; absent while it surely does not. */
  readonly port: () => number | undefined;
}

export interface Victim {
  readonly name: string;
  /** As `kill -9` does. Returns when it is back, with the same objects. */
  killAndStart(): Promise<void>;
  /** Rejects when it has ended by itself. */
  readonly died: Promise<never>;
}
