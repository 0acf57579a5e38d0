/** Whether a certificate and a key belong together, in the words of Go's `tls` package. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** Values are base64, as in Secrets. */
export function keyPairWarnings(data: Readonly<Record<string, string>>): string[] {
  const why = whyNoKeyPair(textOf(data['tls.crt']), textOf(data['tls.key']));
  return why === undefined ? [] : [why];
}

function textOf(base64 = ''): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}

function whyNoKeyPair(certificateText: string, keyText: string): string | undefined {
  const certificates = pemBlocks(certificateText);
  const leaf = certificates.find(({ label }) => label === 'CERTIFICATE');
  if (leaf === undefined) return whyNoCertificate(certificates.map(({ label }) => label));
  const keys = pemBlocks(keyText);
  const key = keys.find(({ label }) => label.endsWith('PRIVATE KEY'));
  if (key === undefined) return whyNoKey(keys.map(({ label }) => label));
  const certificate = attempt(() => new X509Certificate(leaf.pem));
  if (certificate === undefined) return 'x509: malformed certificate';
  const privateKey = attempt(() => createPrivateKey(key.pem));
  if (privateKey === undefined) return 'tls: failed to parse private key';
  return whyNoMatch(certificate, privateKey);
}

function whyNoCertificate(labels: readonly string[]): string {
  const [only] = labels;
  if (only === undefined) return 'tls: failed to find any PEM data in certificate input';
  if (labels.length === 1 && only.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${labels.join(' ')}]`;
}

function whyNoKey(labels: readonly string[]): string {
  if (labels.length === 0) return 'tls: failed to find any PEM data in key input';
  if (labels.length === 1 && labels[0] === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${labels.join(' ')}]`;
}

function whyNoMatch(certificate: X509Certificate, key: KeyObject): string | undefined {
  if (certificate.checkPrivateKey(key)) return undefined;
  return certificate.publicKey.asymmetricKeyType === key.asymmetricKeyType
    ? 'tls: private key does not match public key'
    : 'tls: private key type does not match public key type';
}

interface PemBlock {
  readonly label: string;
  readonly pem: string;
}

const block = /-----BEGIN ([^\n]*?)-----\r?\n[^-]*-----END \1-----/g;

function pemBlocks(text: string): PemBlock[] {
  return [...text.matchAll(block)].map(([pem, label = '']) => ({ label, pem }));
}

/** What cannot be read is an answer here, not a failure. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
