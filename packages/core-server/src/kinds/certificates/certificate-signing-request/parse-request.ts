/** Parses certificate requests (PKCS #10, RFC 2986), with the error messages of Go's `crypto/x509`. */
import {
  DER_TAG,
  type DerElement,
  DerError,
  DerReader,
  readBitString,
  readObjectIdentifier,
} from '@tributary/server/pki';
import { decodePem } from '../../shared/pem.ts';

export interface AlgorithmIdentifier {
  /** In dotted form. */
  readonly algorithm: string;
  /** DER; undefined when there are none. */
  readonly parameters: Buffer | undefined;
}

export interface CertificateRequest {
  /** The organizations of the subject, in order. */
  readonly organizations: readonly string[];
  /** The signed part, in DER. */
  readonly signedBytes: Buffer;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Buffer;
  readonly keyAlgorithm: AlgorithmIdentifier;
  /** SubjectPublicKeyInfo, in DER. */
  readonly publicKey: Buffer;
}

const ORGANIZATION = '2.5.4.10';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';

/** Throws an error with upstream's message. `request` is base64, as in the object. */
export function parseRequest(request: string): CertificateRequest {
  // Latin-1 decodes any byte outside of PEM blocks.
  const pem = decodePem(Buffer.from(request, 'base64').toString('latin1'));
  if (pem?.block.type !== 'CERTIFICATE REQUEST') {
    throw new Error('PEM block type must be CERTIFICATE REQUEST');
  }
  return parseDer(pem.block.bytes);
}

function parseDer(der: Buffer): CertificateRequest {
  const outer = new DerReader(der);
  const request = sequence(outer, 'certificateRequest');
  const info = request.reader.read({ tag: DER_TAG.sequence, goType: 'tbsCertificateRequest' });
  const parsed = parseInfo(info);
  const signatureAlgorithm = readAlgorithm(request.reader);
  const signature = readBitString(
    request.reader.read({ tag: DER_TAG.bitString, goType: 'BitString' }).content,
  );
  outer.expectEnd();
  const organizations = readOrganizations(parsed.subject);
  rejectDuplicateExtensions(parsed.attributes);
  return {
    organizations,
    signedBytes: info.whole,
    signatureAlgorithm,
    signature,
    keyAlgorithm: parsed.keyAlgorithm,
    publicKey: parsed.publicKey,
  };
}

interface RequestInfo {
  readonly subject: Buffer;
  readonly keyAlgorithm: AlgorithmIdentifier;
  readonly publicKey: Buffer;
  readonly attributes: Buffer;
}

function parseInfo(info: DerElement): RequestInfo {
  const reader = new DerReader(info.content);
  reader.read({ tag: DER_TAG.integer, goType: 'int' });
  const subject = reader.readAny().whole;
  const key = sequence(reader, 'publicKeyInfo');
  const keyAlgorithm = readAlgorithm(key.reader);
  readBitString(key.reader.read({ tag: DER_TAG.bitString, goType: 'BitString' }).content);
  const attributes = reader.readAny();
  if (attributes.class !== 2 || attributes.tag !== 0 || !attributes.isCompound) {
    throw new DerError("asn1: structure error: tags don't match");
  }
  return {
    subject,
    keyAlgorithm,
    publicKey: key.element.whole,
    attributes: attributes.content,
  };
}

function readAlgorithm(outer: DerReader): AlgorithmIdentifier {
  const { reader } = sequence(outer, 'AlgorithmIdentifier');
  const oid = reader.read({ tag: DER_TAG.objectIdentifier, goType: 'ObjectIdentifier' });
  return {
    algorithm: readObjectIdentifier(oid.content),
    parameters: reader.isAtEnd ? undefined : reader.readAny().whole,
  };
}

/** A name is a list of sets of pairs. */
function readOrganizations(subject: Buffer): string[] {
  const outer = new DerReader(subject);
  const names = sequence(outer, 'RDNSequence').reader;
  if (!outer.isAtEnd) throw new Error('x509: trailing data after X.509 Subject');
  const organizations: string[] = [];
  while (!names.isAtEnd) {
    const set = new DerReader(names.read({ tag: DER_TAG.set, goType: '' }).content);
    while (!set.isAtEnd) {
      const { reader } = sequence(set, 'AttributeTypeAndValue');
      const oid = reader.read({ tag: DER_TAG.objectIdentifier, goType: 'ObjectIdentifier' });
      const value = reader.readAny();
      if (readObjectIdentifier(oid.content) === ORGANIZATION) organizations.push(textOf(value));
    }
  }
  return organizations;
}

const BMP_STRING = 30;

function textOf({ tag, content }: DerElement): string {
  if (tag !== BMP_STRING || content.length % 2 !== 0) return content.toString('utf8');
  return Buffer.from(content).swap16().toString('utf16le');
}

/** Attributes that cannot be parsed are ignored, except requested extensions. */
function rejectDuplicateExtensions(attributes: Buffer): void {
  const reader = new DerReader(attributes);
  const seen = new Set<string>();
  while (!reader.isAtEnd) {
    for (const id of requestedExtensions(reader.readAny())) {
      if (seen.has(id)) {
        throw new Error('x509: certificate request contains duplicate requested extensions');
      }
      seen.add(id);
    }
  }
}

function requestedExtensions(attribute: DerElement): string[] {
  const list = extensionList(attribute);
  if (list === undefined) return [];
  const { reader } = sequence(new DerReader(list), '');
  const ids: string[] = [];
  while (!reader.isAtEnd) {
    const extension = sequence(reader, 'Extension').reader;
    const oid = extension.read({ tag: DER_TAG.objectIdentifier, goType: 'ObjectIdentifier' });
    ids.push(readObjectIdentifier(oid.content));
  }
  return ids;
}

function extensionList(attribute: DerElement): Buffer | undefined {
  try {
    const { reader } = sequence(new DerReader(attribute.whole), '');
    const oid = reader.read({ tag: DER_TAG.objectIdentifier, goType: 'ObjectIdentifier' });
    if (readObjectIdentifier(oid.content) !== EXTENSION_REQUEST) return undefined;
    const values = new DerReader(reader.read({ tag: DER_TAG.set, goType: '' }).content);
    return values.isAtEnd ? undefined : values.readAny().whole;
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

interface Sequence {
  readonly element: DerElement;
  readonly reader: DerReader;
}

function sequence(outer: DerReader, goType: string): Sequence {
  const element = outer.read({ tag: DER_TAG.sequence, goType });
  return { element, reader: new DerReader(element.content) };
}
