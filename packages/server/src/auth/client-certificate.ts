import type { Authentication, Authenticator } from '../request/authenticator.ts';
import type { CertificatePool, Leaf } from './certificate-pool.ts';

interface ClientCertificateOptions {
  /** The current pool, which is replaced when its file changes. */
  readonly pool: () => CertificatePool | undefined;
  readonly nowMs: () => number;
  readonly observeExpiry?: (secondsLeft: number) => void;
}

const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

/**
 * Users by client certificate: the common name is the username, organizations are groups, and a uid attribute is rare.
 */
export function clientCertificateAuthenticator(options: ClientCertificateOptions): Authenticator {
  const users = new WeakMap<Leaf, Authentication>();
  return ({ peer: { certificate } }) => {
    const pool = options.pool();
    if (certificate === undefined || pool === undefined) return { outcome: 'no-opinion' };
    const nowMs = options.nowMs();
    const verification = pool.verify(certificate, nowMs);
    if (verification.outcome === 'rejected') return verification;
    const { leaf } = verification;
    options.observeExpiry?.((leaf.notAfterMs - nowMs) / 1000);
    let user = users.get(leaf);
    if (user === undefined) {
      user = userOf(leaf);
      users.set(leaf, user);
    }
    return user;
  };
}

function userOf({ commonName, organizations, fingerprint, uids }: Leaf): Authentication {
  if (commonName === '') return { outcome: 'no-opinion' };
  if (uids.length > 1) {
    const reason = `expected 1 UID, but found multiple: [${uids.join(' ')}]`;
    return { outcome: 'rejected', reason };
  }
  const [uid] = uids;
  if (uid === '') return { outcome: 'rejected', reason: 'UID cannot be an empty string' };
  const extra = { [CREDENTIAL_ID]: [`X509SHA256=${fingerprint}`] };
  return {
    outcome: 'authenticated',
    user: { name: commonName, uid: uid ?? '', groups: organizations, extra },
  };
}
