import { timingSafeEqual } from 'node:crypto';
import type { Authenticator } from '../filters/authentication.ts';
import type { Peer, UserInfo } from '../pipeline.ts';

/** Who asks: a name is enough. */
export type TestUser = string | (Partial<UserInfo> & Pick<UserInfo, 'name'>);

/** Who asks when a test does not say. */
export const testAdmin: UserInfo = {
  name: 'admin',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

export function userOf(user: TestUser): UserInfo {
  const given = typeof user === 'string' ? { name: user } : user;
  return { uid: '', groups: ['system:authenticated'], extra: {}, ...given };
}

/** Requests of this process say who they are; on a port the token does. */
export class TestUsers {
  readonly #known = new WeakMap<Peer, UserInfo>();
  readonly #token: Buffer;

  constructor(token: string) {
    this.#token = Buffer.from(`Bearer ${token}`);
  }

  /** The other end of a request in this process. */
  peerOf(user: UserInfo): Peer {
    const peer: Peer = { address: '127.0.0.1', certificate: undefined };
    this.#known.set(peer, user);
    return peer;
  }

  readonly authenticate: Authenticator = ({ peer, headers }) => {
    const user = this.#known.get(peer);
    if (user !== undefined) return { outcome: 'authenticated', user };
    const shown = headers.get('authorization');
    if (shown === undefined) return { outcome: 'no-opinion' };
    const bytes = Buffer.from(shown);
    return bytes.length === this.#token.length && timingSafeEqual(bytes, this.#token)
      ? { outcome: 'authenticated', user: testAdmin }
      : { outcome: 'rejected', why: 'it is not the token of this server' };
  };
}
