/** Certificate signing requests in DER, encoded independently of the server. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { der } from '@tributary/server/pki';

const {
  bitString,
  explicit,
  integer,
  nothing,
  objectIdentifier,
  sequence,
  setOf,
  tagged,
  utf8String,
} = der;

interface RequestParts {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly hash: string | null;
  /** The AlgorithmIdentifier in the request. */
  readonly algorithm: Uint8Array;
  readonly organizations?: readonly string[];
  /** The attributes in DER. */
  readonly attributes?: Uint8Array;
  readonly padding?: number;
}

export const algorithms = {
  ecdsaSha256: sequence(objectIdentifier('1.2.840.10045.4.3.2')),
  ecdsaSha384: sequence(objectIdentifier('1.2.840.10045.4.3.3')),
  rsaSha1: sequence(objectIdentifier('1.2.840.113549.1.1.5'), nothing()),
  rsaSha256: sequence(objectIdentifier('1.2.840.113549.1.1.11'), nothing()),
  rsaMd5: sequence(objectIdentifier('1.2.840.113549.1.1.4'), nothing()),
  ed25519: sequence(objectIdentifier('1.3.101.112')),
  unknown: sequence(objectIdentifier('1.2.3.4')),
} as const;

/** In DER. */
export function makeRequest(parts: RequestParts): Buffer {
  const { organizations = [], attributes = Buffer.alloc(0), padding } = parts;
  const names = [
    ...organizations.map((text) => ['2.5.4.10', text] as const),
    ['2.5.4.3', 'eve'] as const,
  ].map(([oid, text]) => setOf(sequence(objectIdentifier(oid), utf8String(text))));
  const info = sequence(
    integer(Buffer.from([0])),
    sequence(...names),
    parts.publicKey.export({ format: 'der', type: 'spki' }),
    explicit(0, attributes),
  );
  const key = { key: parts.privateKey, ...(padding !== undefined && { padding, saltLength: 32 }) };
  const signature = sign(parts.hash, info, key);
  return sequence(info, parts.algorithm, bitString(signature));
}

/** Base64 of PEM, as in the field `spec.request`. */
export function asField(der: Uint8Array, type = 'CERTIFICATE REQUEST'): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  const pem = [`-----BEGIN ${type}-----`, ...lines, `-----END ${type}-----`, ''].join('\n');
  return Buffer.from(pem).toString('base64');
}

/** A valid request, signed with a new key. */
export function goodRequest(organizations: readonly string[] = []): string {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { ecdsaSha256: algorithm } = algorithms;
  return asField(makeRequest({ ...pair, hash: 'sha256', algorithm, organizations }));
}

/** A request with these extensions. */
export function extensionRequest(...oids: readonly string[]): Buffer {
  const extensions = oids.map((oid) =>
    sequence(objectIdentifier(oid), tagged(4, Buffer.from([5, 0]))),
  );
  return sequence(objectIdentifier('1.2.840.113549.1.9.14'), setOf(sequence(...extensions)));
}
