/** Credentials that no server accepts, the same for every target. */
import { createAuthority } from '../../test/harness/index.ts';
import type { Identity } from './row.ts';
import type { Credential } from './target.ts';

/** No credential, an unknown token, and a certificate of an unknown CA. */
export async function unregisteredServers(): Promise<
  Record<Extract<Identity, 'nobody' | 'bad-token' | 'foreign-certificate'>, Credential>
> {
  const foreign = await createAuthority('foreign-ca');
  return {
    nobody: {},
    'bad-token': { token: 'not-a-token' },
    'foreign-certificate': await foreign.issue({
      commonName: 'admin',
      organizations: ['system:masters'],
      usage: 'client',
    }),
  };
}
