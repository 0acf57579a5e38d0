import { type JWTPayload, SignJWT } from 'jose';
import { accountUserName, type ObjectReference } from './account-user.ts';
import type { SigningKey } from './key-set.ts';

/** The claims of a bound token, which is valid as long as the objects it is bound to exist. */
export interface BoundTokenClaims {
  readonly namespace: string;
  readonly serviceAccount: ObjectReference;
  readonly audiences: readonly string[];
  readonly jti: string;
  readonly issuedAtSeconds: number;
  readonly expiresAtSeconds: number;
  readonly pod?: ObjectReference;
  readonly secret?: ObjectReference;
  readonly node?: ObjectReference;
  /** Use after this time is reported, because the token was extended. */
  readonly warnAfterSeconds?: number;
}

export const legacyIssuer = 'kubernetes/serviceaccount';

export interface TokenSigner {
  readonly key: SigningKey;
  readonly issuer: string;
}

export function issueToken(
  { key, issuer }: TokenSigner,
  claims: BoundTokenClaims,
): Promise<string> {
  const { namespace, serviceAccount, pod, secret, node, warnAfterSeconds } = claims;
  return sign(key, {
    aud: [...claims.audiences],
    exp: claims.expiresAtSeconds,
    iat: claims.issuedAtSeconds,
    iss: issuer,
    jti: claims.jti,
    'kubernetes.io': {
      namespace,
      ...(node && { node: referenceOf(node) }),
      ...(pod && { pod: referenceOf(pod) }),
      ...(secret && { secret: referenceOf(secret) }),
      serviceaccount: referenceOf(serviceAccount),
      ...(warnAfterSeconds !== undefined && { warnafter: warnAfterSeconds }),
    },
    nbf: claims.issuedAtSeconds,
    sub: accountUserName(namespace, serviceAccount.name),
  });
}

/** The token of a Secret, which does not expire. */
export function issueLegacyToken(
  key: SigningKey,
  account: ObjectReference & { readonly namespace: string },
  secretName: string,
): Promise<string> {
  const prefix = 'kubernetes.io/serviceaccount';
  return sign(key, {
    iss: legacyIssuer,
    [`${prefix}/namespace`]: account.namespace,
    [`${prefix}/secret.name`]: secretName,
    [`${prefix}/service-account.name`]: account.name,
    [`${prefix}/service-account.uid`]: account.uid,
    sub: accountUserName(account.namespace, account.name),
  });
}

function sign({ kid, algorithm, key }: SigningKey, payload: JWTPayload): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg: algorithm, kid }).sign(key);
}

/** A deleted node has no uid and is named all the same. */
function referenceOf({ name, uid }: ObjectReference): Partial<ObjectReference> {
  return { name, ...(uid !== '' && { uid }) };
}
