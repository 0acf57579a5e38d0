import type { Validity } from './certificate.ts';
import {
  createKey,
  issueLeaf,
  type KeyPair,
  type LeafRequest,
  selfSign,
  validFor,
} from './issuing.ts';

export interface CertificateRequest extends LeafRequest, Partial<Validity> {}

export interface Authority extends KeyPair {
  issue(request: CertificateRequest): KeyPair;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A new CA. It and its certificates are valid for a day by default. */
export function createAuthority(commonName: string, options: Partial<Validity> = {}): Authority {
  const key = createKey();
  const pair = { key, cert: selfSign(key, commonName, aDayUnless(options)) };
  return { ...pair, issue: (request) => issueLeaf(pair, request, aDayUnless(request)) };
}

function aDayUnless({ notBefore, notAfter }: Partial<Validity>): Validity {
  const day = validFor({ nowMs: Date.now(), lifetimeMs: DAY_MS });
  return { notBefore: notBefore ?? day.notBefore, notAfter: notAfter ?? day.notAfter };
}
