import type { Authentication } from '../../request/authenticator.ts';
import type { ApiRequest, Peer, UserInfo } from '../../request/pipeline.ts';

/** Requests within this process are authenticated by their peer object: no request from a connection can have one. */
export class InProcessPeers {
  readonly #known = new WeakMap<Peer, UserInfo>();
  readonly #onlyHere = new WeakSet<Peer>();

  /**
   * The peer of in-process requests; those with `onlyHere` are served locally, although an APIService claims the group.
   */
  peerOf(user: UserInfo, { onlyHere = false }: { readonly onlyHere?: boolean } = {}): Peer {
    const peer: Peer = { address: '127.0.0.1', certificate: undefined };
    this.#known.set(peer, user);
    if (onlyHere) this.#onlyHere.add(peer);
    return peer;
  }

  isOnlyHere({ peer }: Pick<ApiRequest, 'peer'>): boolean {
    return this.#onlyHere.has(peer);
  }

  /** Undefined for requests from connections. */
  authenticate({ peer }: ApiRequest): Authentication | undefined {
    const user = this.#known.get(peer);
    return user && { outcome: 'authenticated', user };
  }
}
