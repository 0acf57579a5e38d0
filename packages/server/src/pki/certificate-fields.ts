import { X509Certificate } from 'node:crypto';
import { type DerElement, derElements } from './der-reader.ts';

/** Fields that are copied byte for byte from a CA certificate into those that it signs. */
interface IssuerFacts {
  /** The encoded name: another encoding of the same text is a different name to some verifiers. */
  readonly subject: Buffer;
  readonly keyIdentifier: Buffer | undefined;
}

/** 2.5.29.14, the subject key identifier. */
const SUBJECT_KEY_IDENTIFIER = '551d0e';
/** 2.5.4.3 and 2.5.4.10 */
const COMMON_NAME = '550403';
const ORGANIZATION = '55040a';
/** `[3]`, context-specific. */
const isExtensions = (element: DerElement): boolean => element.class === 2 && element.tag === 3;

export function issuerFacts(pem: string): IssuerFacts {
  const fields = toBeSigned(new X509Certificate(pem));
  // version, serial number, algorithm, issuer, validity, subject
  const subject = fields[5]?.whole;
  if (subject === undefined) throw new Error('the certificate has no subject');
  return { subject, keyIdentifier: keyIdentifierIn(fields) };
}

/**
 * The last common name and all organizations. Decoded from DER, because Node's forms of a subject are either escaped
 * for people or slower than everything else that is read from a certificate.
 */
export function subjectOf(certificate: X509Certificate): {
  commonName: string;
  organizations: string[];
} {
  const attributes = derElements(toBeSigned(certificate)[5]?.content ?? Buffer.alloc(0))
    .flatMap(({ content }) => derElements(content))
    .map(({ content }) => derElements(content));
  const valuesOf = (oid: string): string[] =>
    attributes
      .filter(([type]) => type?.content.toString('hex') === oid)
      .map(([, value]) => value?.content.toString('utf8') ?? '');
  return { commonName: valuesOf(COMMON_NAME).at(-1) ?? '', organizations: valuesOf(ORGANIZATION) };
}

/** DNS names and addresses. Node quotes names with special characters; no client can request those. */
export function namesOf(certificate: X509Certificate): string[] {
  return (certificate.subjectAltName ?? '').split(', ').flatMap((entry) => {
    const [, name] = /^(?:DNS|IP Address):([^"]+)$/.exec(entry) ?? [];
    return name === undefined ? [] : [name];
  });
}

/** Every certificate of a bundle. Throws for a bundle without certificates or with an invalid one. */
export function parseCertificates(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error('contains no certificate');
  return blocks.map((block) => {
    const certificate = new X509Certificate(block);
    // OpenSSL accepts forms that DER forbids and Go rejects. Every returned certificate has a valid subject.
    subjectOf(certificate);
    return certificate;
  });
}

function toBeSigned(certificate: X509Certificate): DerElement[] {
  const [whole] = derElements(certificate.raw);
  const [signed] = derElements(whole?.content ?? Buffer.alloc(0));
  return derElements(signed?.content ?? Buffer.alloc(0));
}

function keyIdentifierIn(fields: readonly DerElement[]): Buffer | undefined {
  const extensions = fields.find(isExtensions);
  const [list] = derElements(extensions?.content ?? Buffer.alloc(0));
  for (const { content } of derElements(list?.content ?? Buffer.alloc(0))) {
    const parts = derElements(content);
    if (parts[0]?.content.toString('hex') !== SUBJECT_KEY_IDENTIFIER) continue;
    return derElements(parts.at(-1)?.content ?? Buffer.alloc(0))[0]?.content;
  }
  return undefined;
}
