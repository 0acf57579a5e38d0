import { X509Certificate } from 'node:crypto';
import { goQuote } from '@tributary/apimachinery';
import { DerError, DerReader } from '@tributary/server/pki';
import { decodePem } from '../../shared/pem.ts';

/** The error of an issued certificate with its chain, in base64 of PEM; undefined for a valid or empty one. */
export function certificateProblem(certificate: string): string | undefined {
  if (certificate === '') return undefined;
  let text = Buffer.from(certificate, 'base64').toString('latin1');
  for (let blocks = 0; ; blocks += 1) {
    const pem = decodePem(text);
    if (pem === undefined) {
      return blocks === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
    }
    const { type, hasHeaders, bytes } = pem.block;
    if (type !== 'CERTIFICATE') {
      return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    }
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    if (!areCertificates(bytes)) return 'x509: malformed certificate';
    text = pem.rest;
  }
}

/** Certificates in a row. */
function areCertificates(der: Buffer): boolean {
  try {
    const reader = new DerReader(der);
    while (!reader.isAtEnd) new X509Certificate(reader.readAny().whole);
    return true;
  } catch (error) {
    if (error instanceof DerError || isOpenSslError(error)) return false;
    throw error;
  }
}

function isOpenSslError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_OSSL');
}
