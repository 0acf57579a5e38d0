import { goQuote } from '@tributary/apimachinery';
import type { Authentication } from '@tributary/server';
import { compactVerify, type JWK } from 'jose';
import { rejected } from '../token-lookup.ts';
import { objectOf, textOf, textsOf, type UnverifiedToken } from '../unverified-token.ts';
import { ClaimError, userOfClaims } from './claim-mapping.ts';
import type { IssuerSettings } from './issuer-settings.ts';
import type { Provider } from './provider.ts';

const NOT_BEFORE_LEEWAY_MS = 60_000;

interface IssuerTokensOptions {
  readonly settings: IssuerSettings;
  readonly provider: Pick<Provider, 'isReady' | 'keys'>;
  readonly nowMs: () => number;
}

/** Authenticates a token that names this issuer. */
export type IssuerTokens = (
  token: string,
  unverified: UnverifiedToken,
) => Promise<Authentication> | Authentication;

export function issuerTokens({ settings, provider, nowMs }: IssuerTokensOptions): IssuerTokens {
  const authenticate = async (token: string, unverified: UnverifiedToken) => {
    try {
      const claims = await verifiedClaims(token, unverified, { settings, provider });
      requireCurrent(claims, settings, nowMs());
      return { outcome: 'authenticated', user: userOfClaims(claims, settings) } as const;
    } catch (error) {
      if (error instanceof VerifyError) return rejected(`oidc: verify token: ${error.message}`);
      if (error instanceof ClaimError) return rejected(error.message);
      throw error;
    }
  };
  return (token, unverified) =>
    provider.isReady
      ? authenticate(token, unverified)
      : rejected('oidc: authenticator not initialized');
}

/** Google uses two issuer names. */
export function issuerOf({ claims: { iss } }: UnverifiedToken): string {
  return iss === 'accounts.google.com' ? 'https://accounts.google.com' : textOf(iss);
}

class VerifyError extends Error {}

async function verifiedClaims(
  token: string,
  { header }: UnverifiedToken,
  { settings, provider }: Pick<IssuerTokensOptions, 'settings' | 'provider'>,
): Promise<Readonly<Record<string, unknown>>> {
  const algorithm = textOf(header.alg);
  if (!settings.algorithms.includes(algorithm)) {
    const expected = goList(settings.algorithms);
    throw new VerifyError(
      `oidc: id token signed with unsupported algorithm, expected ${expected} got ${goQuote(algorithm)}`,
    );
  }
  for (const key of await provider.keys(textOf(header.kid))) {
    const claims = await verifiedBy(key, token, algorithm);
    if (claims !== undefined) return claims;
  }
  throw new VerifyError('failed to verify signature: failed to verify id token signature');
}

async function verifiedBy(key: JWK, token: string, algorithm: string) {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [algorithm] });
    return objectOf(payload);
  } catch {
    return undefined; // Another key may match.
  }
}

function requireCurrent(
  { aud, exp, nbf }: Readonly<Record<string, unknown>>,
  { audiences }: IssuerSettings,
  nowMs: number,
): void {
  const got = textsOf(aud);
  if (!got.some((one) => audiences.includes(one))) {
    const [only = ''] = audiences;
    const expected = audiences.length === 1 ? goQuote(only) : `in ${goList([...audiences].sort())}`;
    throw new VerifyError(`oidc: expected audience ${expected} got ${goList(got)}`);
  }
  const expiryMs = typeof exp === 'number' ? Math.trunc(exp) * 1000 : undefined;
  if (expiryMs === undefined || expiryMs < nowMs) {
    throw new VerifyError(`oidc: token is expired (Token Expiry: ${goTime(expiryMs)})`);
  }
  const notBeforeMs = typeof nbf === 'number' ? Math.trunc(nbf) * 1000 : undefined;
  if (notBeforeMs !== undefined && nowMs + NOT_BEFORE_LEEWAY_MS < notBeforeMs) {
    const times = `${goTime(nowMs)} before the nbf (not before) time: ${goTime(notBeforeMs)}`;
    throw new VerifyError(`oidc: current time ${times}`);
  }
}

function goList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`;
}

function goTime(ms: number | undefined): string {
  if (ms === undefined) return '0001-01-01 00:00:00 +0000 UTC';
  const [date = '', time = ''] = new Date(ms).toISOString().split('T');
  return `${date} ${time.slice(0, 8)} +0000 UTC`;
}
