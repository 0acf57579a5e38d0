import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';

export type SigningAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

export interface SigningKey {
  /** The digest of the public key. */
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly key: KeyObject;
}

export interface VerificationKey extends SigningKey {
  readonly jwk: JsonWebKey;
}

/** Keys of service account tokens: one signs, all verify, so that keys can be rotated. */
export interface KeySet {
  readonly signing: SigningKey;
  readonly verification: readonly VerificationKey[];
  /** Keys that a token with this `kid` may be signed with; all keys for a token without `kid`. */
  find(kid: string): readonly VerificationKey[];
}

export interface KeySetOptions {
  /** PEM of an RSA or EC private key. */
  readonly signingKey: string;
  /** PEM of further keys, public or private; one text may hold several. */
  readonly otherKeys?: readonly string[];
}

const CURVES: Readonly<Record<string, SigningAlgorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};
/** The signing library rejects shorter keys. */
const RSA_BITS_MIN = 2048;

/** Throws for invalid keys. */
export function serviceAccountKeys({ signingKey, otherKeys = [] }: KeySetOptions): KeySet {
  const key = createPrivateKey(signingKey);
  const own = verificationKey(createPublicKey(key));
  const others = otherKeys.flatMap(keysOf).map(verificationKey);
  const byKid = new Map([own, ...others].map((one) => [one.kid, one]));
  const verification = [...byKid.values()];
  return {
    signing: { kid: own.kid, algorithm: own.algorithm, key },
    verification,
    find(kid) {
      if (kid === '') return verification;
      const found = byKid.get(kid);
      return found === undefined ? [] : [found];
    },
  };
}

function keysOf(pem: string): KeyObject[] {
  const blocks = pem.match(/-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g) ?? [];
  // OpenSSL writes the curve of a key in a separate block before it.
  const keys = blocks.filter((block) => !block.startsWith('-----BEGIN EC PARAMETERS'));
  if (keys.length === 0) throw new Error('no PEM key found');
  return keys.map((block) => createPublicKey(block));
}

function verificationKey(key: KeyObject): VerificationKey {
  const der = key.export({ type: 'spki', format: 'der' });
  return {
    kid: createHash('sha256').update(der).digest('base64url'),
    algorithm: algorithmOf(key),
    key,
    jwk: key.export({ format: 'jwk' }),
  };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): SigningAlgorithm {
  if (asymmetricKeyType === 'rsa') {
    const bits = asymmetricKeyDetails?.modulusLength ?? 0;
    if (bits >= RSA_BITS_MIN) return 'RS256';
    throw new Error(`an RSA key must have at least ${RSA_BITS_MIN} bits, this one has ${bits}`);
  }
  if (asymmetricKeyType !== 'ec') {
    throw new Error(`keys must be RSA or EC, not ${asymmetricKeyType}`);
  }
  const algorithm = CURVES[asymmetricKeyDetails?.namedCurve ?? ''];
  if (algorithm !== undefined) return algorithm;
  throw new Error('unknown private key curve, must be 256, 384, or 521');
}
