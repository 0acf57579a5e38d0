import { goQuote } from '@tributary/apimachinery';
import type { UserInfo } from '@tributary/server';
import { credentialIdKey } from '../service-account/account-user.ts';
import type { IssuerSettings } from './issuer-settings.ts';

type Claims = Readonly<Record<string, unknown>>;

/** An error in the claims of a token with a valid signature; its message appears in logs and reviews. */
export class ClaimError extends Error {}

/** The user that the claims of a token describe. Throws a `ClaimError`. */
export function userOfClaims(claims: Claims, settings: IssuerSettings): UserInfo {
  const { uidClaim } = settings;
  const user = {
    name: nameOf(claims, settings),
    groups: groupsOf(claims, settings),
    uid:
      uidClaim === undefined
        ? ''
        : textClaim(claims, uidClaim, `oidc: parse uid claim ${goQuote(uidClaim)}`),
    extra: extraOf(claims),
  };
  requireClaims(claims, settings.requiredClaims);
  return user;
}

function nameOf(claims: Claims, { username: { claim, prefix } }: IssuerSettings): string {
  const name = textClaim(claims, claim, `oidc: parse username claims ${goQuote(claim)}`);
  if (claim === 'email') requireVerifiedEmail(claims);
  return `${prefix}${name}`;
}

/** An email address that the issuer has not verified does not identify a user. */
function requireVerifiedEmail(claims: Claims): void {
  if (!Object.hasOwn(claims, 'email_verified')) return;
  const { email_verified: verified } = claims;
  if (typeof verified !== 'boolean') {
    const detail = `json: cannot unmarshal ${jsonType(verified)} into Go value of type bool`;
    throw new ClaimError(`oidc: parse 'email_verified' claim: ${detail}`);
  }
  if (!verified) throw new ClaimError('oidc: email not verified');
}

/** A string is a single group. */
function groupsOf(claims: Claims, { groups }: IssuerSettings): string[] {
  if (groups === undefined) return [];
  const { claim, prefix } = groups;
  if (!Object.hasOwn(claims, claim)) {
    requireNoDistributed(claims, claim);
    return [];
  }
  const value = claims[claim] ?? [];
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (!isList && typeof value !== 'string') {
    const detail = `json: cannot unmarshal ${jsonType(value)} into Go value of type string`;
    throw new ClaimError(`oidc: parse groups claim ${goQuote(claim)}: ${detail}`);
  }
  return [value].flat().map((group) => `${prefix}${group}`);
}

/** Distributed claims are not fetched; ignoring them would drop groups silently. */
function requireNoDistributed({ _claim_names: names }: Claims, claim: string): void {
  if (typeof names !== 'object' || names === null || !Object.hasOwn(names, claim)) return;
  throw new ClaimError(
    'oidc: could not expand distributed claims: claims of other sources are not fetched here',
  );
}

function extraOf({ jti }: Claims): Record<string, string[]> {
  return typeof jti === 'string' && jti !== '' ? { [credentialIdKey]: [`JTI=${jti}`] } : {};
}

function requireClaims(claims: Claims, required: ReadonlyMap<string, string>): void {
  for (const [claim, want] of required) {
    if (!Object.hasOwn(claims, claim)) {
      throw new ClaimError(`oidc: required claim ${claim} not present in ID token`);
    }
    const got = textClaim(claims, claim, `oidc: parse claim ${claim}`);
    if (got !== want) {
      throw new ClaimError(
        `oidc: required claim ${claim} value does not match. Got = ${got}, want = ${want}`,
      );
    }
  }
}

function textClaim(claims: Claims, claim: string, subject: string): string {
  if (!Object.hasOwn(claims, claim)) throw new ClaimError(`${subject}: claim not present`);
  const value = claims[claim] ?? '';
  if (typeof value === 'string') return value;
  const detail = `json: cannot unmarshal ${jsonType(value)} into Go value of type string`;
  throw new ClaimError(`${subject}: ${detail}`);
}

function jsonType(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}
