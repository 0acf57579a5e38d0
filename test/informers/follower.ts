/** An informer of some client library, as the test sees it. */
import type { ClientConfig } from '@tributary/client';
import type { KeyPair, TestScope } from '../harness/index.ts';
import type { Way } from './cutting-proxy.ts';
import type { Part } from './flunders.ts';
import type { InformerEvent, Item } from './history.ts';

export interface Follower {
  readonly name: string;
  readonly part: Part;
  /** The events of its handler so far. It grows. */
  readonly events: readonly InformerEvent[];
  /** How often it has asked for the whole state so far. */
  readonly beginnings: number;
  readonly replacesByUpdate: boolean;
  /** Violations that it found itself. */
  readonly complaints: readonly string[];
  whenSynced(signal: AbortSignal): Promise<void>;
  store(): Promise<Item[]>;
}

/** How to reach the server: behind a proxy of its own for each informer. */
export interface Access {
  readonly url: string;
  readonly ca: string;
  readonly user: KeyPair;
}

export interface FollowerKind {
  /** Starts an informer that ends with the test. */
  start(t: TestScope, access: Access): Promise<Follower>;
  /** How its connections may be cut so that it notices. */
  readonly ways: readonly Way[];
}

export function clientConfig({ url, ca, user }: Access): ClientConfig {
  return {
    server: url,
    ca: { pem: ca },
    identity: { certificate: { certificate: { pem: user.cert }, key: { pem: user.key } } },
    namespace: 'default',
  };
}
