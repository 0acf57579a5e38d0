import type { Authentication, Authenticator } from '../filters/authentication.ts';
import type { RequestHeaders } from '../request-headers.ts';
import type { CertificatePool } from './certificate-pool.ts';
import { headerText, unescapeKey } from './header-text.ts';

/** Which headers a front proxy may say a user by. Names and prefixes are in lower case. */
export interface RequestHeaderNames {
  /** Common names of its certificate; none means any that its authority signed. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

export const standardRequestHeaders: RequestHeaderNames = {
  allowedNames: [],
  usernameHeaders: ['x-remote-user'],
  uidHeaders: [],
  groupHeaders: ['x-remote-group'],
  extraHeaderPrefixes: ['x-remote-extra-'],
};

export interface RequestHeaderOptions {
  /** Of the front proxy, never the clients'. */
  readonly pool: () => CertificatePool | undefined;
  readonly names: () => RequestHeaderNames;
  readonly nowMs: () => number;
}

/** Users that a front proxy has authenticated: an aggregator in front of an extension server. */
export function requestHeaderAuthenticator(options: RequestHeaderOptions): Authenticator {
  return ({ peer: { certificate }, headers }) => {
    const pool = options.pool();
    if (certificate === undefined || pool === undefined) return { outcome: 'no-opinion' };
    const verification = pool.verify(certificate, options.nowMs());
    if (verification.outcome === 'rejected') return verification;
    const names = options.names();
    const { commonName } = verification.leaf;
    if (names.allowedNames.length > 0 && !names.allowedNames.includes(commonName)) {
      const why = `x509: subject with cn=${commonName} is not in the allowed list`;
      return { outcome: 'rejected', why };
    }
    return userOf(headers, names);
  };
}

/** What must not be seen further in, beside the standard names. */
export function customIdentityHeader(names: () => RequestHeaderNames): (header: string) => boolean {
  return (header) => {
    const { usernameHeaders, uidHeaders, groupHeaders, extraHeaderPrefixes } = names();
    return (
      usernameHeaders.includes(header) ||
      uidHeaders.includes(header) ||
      groupHeaders.includes(header) ||
      extraHeaderPrefixes.some((prefix) => header.startsWith(prefix))
    );
  };
}

function userOf(headers: RequestHeaders, names: RequestHeaderNames): Authentication {
  const name = firstValue(headers, names.usernameHeaders);
  if (name === '') return { outcome: 'no-opinion' };
  const uid = firstValue(headers, names.uidHeaders);
  // One line is one group: names may have commas.
  const groups = names.groupHeaders
    .flatMap((header) => headers.all(header))
    .filter(Boolean)
    .map(headerText);
  const extra = extraOf(headers, names.extraHeaderPrefixes);
  return { outcome: 'authenticated', user: { name, uid, groups, extra } };
}

function firstValue(headers: RequestHeaders, names: readonly string[]): string {
  for (const name of names) {
    const value = headers.get(name);
    if (value) return headerText(value);
  }
  return '';
}

function extraOf(headers: RequestHeaders, prefixes: readonly string[]): Record<string, string[]> {
  const extra: Record<string, string[]> = Object.create(null);
  for (const prefix of prefixes) {
    for (const [name, value] of headers.lines()) {
      if (!name.startsWith(prefix)) continue;
      const key = unescapeKey(name.slice(prefix.length));
      extra[key] = [...(extra[key] ?? []), headerText(value)];
    }
  }
  return extra;
}
