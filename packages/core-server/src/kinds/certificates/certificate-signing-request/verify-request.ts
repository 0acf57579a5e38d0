/** Verifies that a certificate request is signed by the key that it names. */
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { DER_TAG, DerError, DerReader, readObjectIdentifier } from '@tributary/server/pki';
import type { AlgorithmIdentifier, CertificateRequest } from './parse-request.ts';

type KeyType = 'RSA' | 'ECDSA' | 'Ed25519';

interface SignatureAlgorithm {
  readonly key: KeyType | 'DSA';
  /** Null when the message is signed without a hash. */
  readonly hash: string | null;
  readonly isPss?: true;
}

const RSA_PSS = '1.2.840.113549.1.1.10';
const ED25519 = '1.3.101.112';

const signatureAlgorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  '1.2.840.113549.1.1.4': { key: 'RSA', hash: 'md5' },
  '1.2.840.113549.1.1.5': { key: 'RSA', hash: 'sha1' },
  '1.3.14.3.2.29': { key: 'RSA', hash: 'sha1' },
  '1.2.840.113549.1.1.11': { key: 'RSA', hash: 'sha256' },
  '1.2.840.113549.1.1.12': { key: 'RSA', hash: 'sha384' },
  '1.2.840.113549.1.1.13': { key: 'RSA', hash: 'sha512' },
  '1.2.840.10040.4.3': { key: 'DSA', hash: 'sha1' },
  '2.16.840.1.101.3.4.3.2': { key: 'DSA', hash: 'sha256' },
  '1.2.840.10045.4.1': { key: 'ECDSA', hash: 'sha1' },
  '1.2.840.10045.4.3.2': { key: 'ECDSA', hash: 'sha256' },
  '1.2.840.10045.4.3.3': { key: 'ECDSA', hash: 'sha384' },
  '1.2.840.10045.4.3.4': { key: 'ECDSA', hash: 'sha512' },
  [ED25519]: { key: 'Ed25519', hash: null },
};

const pssHashes: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

const keyTypes: Readonly<Record<string, KeyType>> = {
  '1.2.840.113549.1.1.1': 'RSA',
  '1.2.840.10045.2.1': 'ECDSA',
  [ED25519]: 'Ed25519',
};

const curves = new Set(['1.3.132.0.33', '1.2.840.10045.3.1.7', '1.3.132.0.34', '1.3.132.0.35']);

const goKeyTypes: Readonly<Record<KeyType, string>> = {
  RSA: '*rsa.PublicKey',
  ECDSA: '*ecdsa.PublicKey',
  Ed25519: 'ed25519.PublicKey',
};

const UNSUPPORTED = 'x509: cannot verify signature: algorithm unimplemented';
const RSA_BITS_MIN = 1024;

/**
 * Throws an error with upstream's message. OpenSSL refuses RSA moduli above 16,384 bits, so a request costs a few
 * milliseconds at most.
 */
export function verifyRequest(request: CertificateRequest): void {
  const key = publicKeyOf(request);
  const algorithm = signatureAlgorithmOf(request.signatureAlgorithm);
  if (algorithm === undefined) throw new Error(UNSUPPORTED);
  if (algorithm.hash === 'md5') {
    throw new Error('x509: cannot verify signature: insecure algorithm MD5-RSA');
  }
  if (key === undefined) throw new Error(UNSUPPORTED);
  if (key.type !== algorithm.key) {
    throw new Error(
      `x509: signature algorithm specifies an ${algorithm.key} public key, but have public key of type ${goKeyTypes[key.type]}`,
    );
  }
  const bits = key.object.asymmetricKeyDetails?.modulusLength ?? RSA_BITS_MIN;
  if (bits < RSA_BITS_MIN) {
    throw new Error(
      `crypto/rsa: ${bits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`,
    );
  }
  if (isSigned(request, key.object, algorithm)) return;
  throw new Error(
    key.type === 'RSA'
      ? 'crypto/rsa: verification error'
      : `x509: ${key.type} verification failure`,
  );
}

function isSigned(
  { signedBytes, signature }: CertificateRequest,
  key: KeyObject,
  { hash, isPss }: SignatureAlgorithm,
): boolean {
  const padding = isPss && {
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  };
  try {
    return verify(hash, signedBytes, { key, ...padding }, signature);
  } catch {
    // OpenSSL throws for keys and signatures that are malformed.
    return false;
  }
}

interface PublicKey {
  readonly type: KeyType;
  readonly object: KeyObject;
}

/** Undefined for an unsupported type of key. */
function publicKeyOf({ keyAlgorithm, publicKey }: CertificateRequest): PublicKey | undefined {
  const type = keyTypes[keyAlgorithm.algorithm];
  if (type === undefined) return undefined;
  rejectParameters(type, keyAlgorithm.parameters);
  try {
    return { type, object: createPublicKey({ key: publicKey, format: 'der', type: 'spki' }) };
  } catch (error) {
    throw new Error(badKeys[type], { cause: error });
  }
}

const badKeys: Readonly<Record<KeyType, string>> = {
  RSA: 'x509: invalid RSA public key',
  ECDSA: 'ecdsa: invalid uncompressed public key',
  Ed25519: 'x509: wrong Ed25519 public key size',
};

const DER_NULL = Buffer.from([5, 0]);

function rejectParameters(type: KeyType, parameters: Buffer | undefined): void {
  if (type === 'RSA' && !parameters?.equals(DER_NULL)) {
    throw new Error('x509: RSA key missing NULL parameters');
  }
  if (type === 'Ed25519' && parameters !== undefined) {
    throw new Error('x509: Ed25519 key encoded with illegal parameters');
  }
  if (type !== 'ECDSA') return;
  const curve = parameters && objectIdentifierIn(parameters);
  if (curve === undefined) throw new Error('x509: invalid ECDSA parameters');
  if (!curves.has(curve)) throw new Error('x509: unsupported elliptic curve');
}

function objectIdentifierIn(der: Buffer): string | undefined {
  try {
    const oid = new DerReader(der).read({ tag: DER_TAG.objectIdentifier, goType: '' });
    return readObjectIdentifier(oid.content);
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

function signatureAlgorithmOf(identifier: AlgorithmIdentifier): SignatureAlgorithm | undefined {
  const { algorithm, parameters } = identifier;
  if (algorithm === RSA_PSS) {
    const hash = parameters && pssHashOf(parameters);
    return hash === undefined ? undefined : { key: 'RSA', hash, isPss: true };
  }
  if (algorithm === ED25519 && parameters !== undefined) return undefined;
  return signatureAlgorithms[algorithm];
}

/** Go requires the same hash for the message and the mask. */
function pssHashOf(parameters: Buffer): string | undefined {
  try {
    const fields = new DerReader(sequenceContent(parameters));
    const hash = algorithmName(fields.readAny().content);
    const mask = new DerReader(sequenceContent(fields.readAny().content));
    mask.read({ tag: DER_TAG.objectIdentifier, goType: '' });
    return algorithmName(mask.readAny().whole) === hash ? pssHashes[hash] : undefined;
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

function algorithmName(der: Buffer): string {
  const oid = new DerReader(sequenceContent(der)).read({
    tag: DER_TAG.objectIdentifier,
    goType: '',
  });
  return readObjectIdentifier(oid.content);
}

function sequenceContent(der: Buffer): Buffer {
  return new DerReader(der).read({ tag: DER_TAG.sequence, goType: '' }).content;
}
