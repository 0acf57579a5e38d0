import { X509Certificate } from 'node:crypto';

/** The content of the ConfigMap by which extension API servers authenticate the front proxy and client certificates. */
export interface Trust {
  /** PEM of the authorities of client certificates. */
  readonly clientCa: string | undefined;
  readonly requestHeader: RequestHeaderTrust | undefined;
}

interface RequestHeaderTrust {
  readonly ca: string;
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

type Data = Readonly<Record<string, string>>;

/** Tolerates clock skew: an expired certificate may still be in use for this long. */
const EXPIRED_MS = 5 * 60_000;

/** Merges the published content with that of this server, because several servers may publish. */
export function mergedTrust(published: Data, trust: Trust, nowMs: number): Data {
  const data: Record<string, string> = { ...published };
  const { clientCa, requestHeader } = trust;
  if (clientCa !== undefined) {
    data['client-ca-file'] = mergedBundle(published['client-ca-file'], clientCa, nowMs);
  }
  if (requestHeader === undefined) return data;
  data['requestheader-client-ca-file'] = mergedBundle(
    published['requestheader-client-ca-file'],
    requestHeader.ca,
    nowMs,
  );
  const lists: readonly (readonly [key: string, names: readonly string[]])[] = [
    ['requestheader-allowed-names', requestHeader.allowedNames],
    ['requestheader-username-headers', requestHeader.usernameHeaders],
    ['requestheader-uid-headers', requestHeader.uidHeaders],
    ['requestheader-group-headers', requestHeader.groupHeaders],
    ['requestheader-extra-headers-prefix', requestHeader.extraHeaderPrefixes],
  ];
  for (const [key, names] of lists) {
    // An empty list would announce uid headers to servers that ignore them.
    if (names.length === 0 && key === 'requestheader-uid-headers') continue;
    data[key] = JSON.stringify([...new Set([...namesOf(published[key]), ...names])]);
  }
  return data;
}

function namesOf(text: string | undefined): string[] {
  if (!text) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value)
      ? value.filter((one): one is string => typeof one === 'string')
      : [];
  } catch {
    return []; // Invalid content is overwritten.
  }
}

function mergedBundle(published: string | undefined, own: string, nowMs: number): string {
  const byFingerprint = new Map<string, string>();
  for (const pem of [...certificatesOf(published ?? ''), ...certificatesOf(own)]) {
    const certificate = parsed(pem);
    if (certificate === undefined) continue;
    if (Date.parse(certificate.validTo) < nowMs - EXPIRED_MS) continue;
    byFingerprint.set(certificate.fingerprint256, certificate.toString());
  }
  return [...byFingerprint.values()].join('');
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;

function certificatesOf(bundle: string): string[] {
  return bundle.match(CERTIFICATE) ?? [];
}

function parsed(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined; // Not a certificate, so of no use to any server.
  }
}
