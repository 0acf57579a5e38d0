/** The users of both targets, and the files that define them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pki } from '../../test/harness/index.ts';
import type { Identity } from '../differential/row.ts';
import type { Credential } from '../differential/target.ts';
import { unregisteredServers } from '../differential/unregistered-servers.ts';

/** Rows name these tokens. */
const TOKENS = ['alice-token,alice,uid-of-alice,"dev"', 'bob-token,bob,uid-of-bob'];

/** A file for `--token-auth-file`. */
export async function writeTokenFile(directory: string): Promise<string> {
  const path = join(directory, 'tokens.csv');
  await writeFile(path, `${TOKENS.join('\n')}\n`, { mode: 0o600 });
  return path;
}

export async function credentialsOf(pki: Pki): Promise<Record<Identity, Credential>> {
  const [carol, other, unknown] = await Promise.all([
    pki.client({ commonName: 'carol', organizations: ['dev', 'ops'] }),
    pki.frontProxyCa.issue({ commonName: 'front-proxy-other', usage: 'client' }),
    unregisteredServers(),
  ]);
  return {
    admin: pki.admin,
    alice: { token: 'alice-token' },
    bob: { token: 'bob-token' },
    carol,
    'front-proxy': pki.frontProxyClient,
    'front-proxy-other': other,
    ...unknown,
  };
}
