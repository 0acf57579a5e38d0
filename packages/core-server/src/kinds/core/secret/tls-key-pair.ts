/** Checks that a certificate and a key match, with the messages of Go's `crypto/tls`. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { decodePemBlocks } from '../../shared/pem.ts';

/** Values are base64, as in Secrets. */
export function keyPairWarnings(data: Readonly<Record<string, string>>): string[] {
  const reason = keyPairError(textOf(data['tls.crt']), textOf(data['tls.key']));
  return reason === undefined ? [] : [reason];
}

function textOf(base64 = ''): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}

function keyPairError(certificateText: string, keyText: string): string | undefined {
  const certificates = decodePemBlocks(certificateText);
  const leaf = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (leaf === undefined) return noCertificateError(certificates.map(({ type }) => type));
  const keys = decodePemBlocks(keyText);
  const key = keys.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (key === undefined) return noKeyError(keys.map(({ type }) => type));
  const certificate = attempt(() => new X509Certificate(leaf.bytes));
  if (certificate === undefined) return 'x509: malformed certificate';
  const privateKey = privateKeyOf(key.bytes);
  if (privateKey === undefined) return 'tls: failed to parse private key';
  return mismatchError(certificate, privateKey);
}

function noCertificateError(types: readonly string[]): string {
  const [only] = types;
  if (only === undefined) return 'tls: failed to find any PEM data in certificate input';
  if (types.length === 1 && only.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function noKeyError(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in key input';
  if (types.length === 1 && types[0] === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function mismatchError(certificate: X509Certificate, key: KeyObject): string | undefined {
  if (certificate.checkPrivateKey(key)) return undefined;
  return certificate.publicKey.asymmetricKeyType === key.asymmetricKeyType
    ? 'tls: private key does not match public key'
    : 'tls: private key type does not match public key type';
}

/** Go ignores the name and headers of the PEM block and tries each format. */
function privateKeyOf(bytes: Buffer): KeyObject | undefined {
  for (const type of ['pkcs1', 'pkcs8', 'sec1'] as const) {
    const key = attempt(() => createPrivateKey({ key: bytes, format: 'der', type }));
    if (key !== undefined) return key;
  }
  return undefined;
}

/** Undefined when `read` throws. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
