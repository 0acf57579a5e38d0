import { issueLeaf, type KeyPair, validFor } from '@tributary/server/pki';
import { authorityState, DAY_MS } from './checks.ts';
import { signingPair } from './ensure.ts';
import { controlPlaneInventory } from './inventory.ts';
import { readPkiFiles } from './pki-files.ts';

export interface UserRequest {
  readonly name: string;
  readonly groups: readonly string[];
  readonly lifetimeMs: number;
  readonly nowMs: number;
}

/** Client certificates cannot be revoked, so their lifetime is bounded. */
const USER_LIFETIME_MS_MAX = 3650 * DAY_MS;

/** A client certificate from the CA in the directory of a control plane. */
export async function issueUserCertificate(
  directory: string,
  { name, groups, lifetimeMs, nowMs }: UserRequest,
): Promise<KeyPair> {
  const [spec] = controlPlaneInventory({}).authorities;
  const files = await readPkiFiles(directory, ['ca.crt', 'ca.key']);
  if (spec === undefined || !files.has('ca.crt')) {
    throw new Error(`there is no CA in ${directory}: begin with "tributary pki init"`);
  }
  const authority = authorityState(spec, files, nowMs);
  if (authority.signer === undefined) {
    throw new Error(
      `ca.key is not in ${directory}, or not the key of ca.crt: only who has it can sign`,
    );
  }
  return issueLeaf(
    signingPair(authority, files, name),
    { commonName: name, organizations: groups, usage: 'client' },
    validFor({ nowMs, lifetimeMs: Math.min(lifetimeMs, USER_LIFETIME_MS_MAX) }),
  );
}
