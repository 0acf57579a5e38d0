import type { Authentication } from '../../request/authenticator.ts';
import type { ApiRequest, Peer, UserInfo } from '../../request/pipeline.ts';

/**
 * Requests that never leave this process say who they are by the end they come from: nothing that arrives by a
 * connection can look like it.
 */
export class InProcessPeers {
  readonly #known = new WeakMap<Peer, UserInfo>();
  readonly #onlyHere = new WeakSet<Peer>();

  /** The other end of requests in this process; those of `onlyHere` mean what is kept here, whoever else claims it. */
  peerOf(user: UserInfo, { onlyHere = false }: { readonly onlyHere?: boolean } = {}): Peer {
    const peer: Peer = { address: '127.0.0.1', certificate: undefined };
    this.#known.set(peer, user);
    if (onlyHere) this.#onlyHere.add(peer);
    return peer;
  }

  isOnlyHere({ peer }: Pick<ApiRequest, 'peer'>): boolean {
    return this.#onlyHere.has(peer);
  }

  /** Undefined for requests that came by a connection. */
  authenticate({ peer }: ApiRequest): Authentication | undefined {
    const user = this.#known.get(peer);
    return user && { outcome: 'authenticated', user };
  }
}
