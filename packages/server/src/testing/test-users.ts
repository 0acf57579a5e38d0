import { timingSafeEqual } from 'node:crypto';
import { InProcessPeers } from '../http/in-process/in-process-peers.ts';
import type { Authenticator } from '../request/authenticator.ts';
import type { Peer, UserInfo } from '../request/pipeline.ts';

/** The user of a request; a name is enough. */
export type TestUser = string | (Partial<UserInfo> & Pick<UserInfo, 'name'>);

/** The default user. */
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

/** The users of in-process requests; on a port the token identifies them. */
export class TestUsers {
  readonly #peers = new InProcessPeers();
  readonly #token: Buffer;

  constructor(token: string) {
    this.#token = Buffer.from(`Bearer ${token}`);
  }

  /** The peer of an in-process request. */
  peerOf(user: UserInfo): Peer {
    return this.#peers.peerOf(user);
  }

  readonly authenticate: Authenticator = (request) => {
    const known = this.#peers.authenticate(request);
    if (known !== undefined) return known;
    const shown = request.headers.get('authorization');
    if (shown === undefined) return { outcome: 'no-opinion' };
    const bytes = Buffer.from(shown);
    return bytes.length === this.#token.length && timingSafeEqual(bytes, this.#token)
      ? { outcome: 'authenticated', user: testAdmin }
      : { outcome: 'rejected', reason: 'it is not the token of this server' };
  };
}
