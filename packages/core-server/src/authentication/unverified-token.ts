import { isUtf8 } from 'node:buffer';

/** The decoded parts of a compact JWT whose signature is not verified. */
export interface UnverifiedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Longer than any token in use; bounds the work on unverified input. */
const TOKEN_LENGTH_MAX = 64 * 1024;

/** Undefined for tokens that are not JWTs. */
export function readUnverified(token: string): UnverifiedToken | undefined {
  if (token.length > TOKEN_LENGTH_MAX) return undefined;
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  const [header, claims] = [jsonOf(parts[0]), jsonOf(parts[1])];
  return header && claims ? { header, claims } : undefined;
}

function jsonOf(part = ''): Record<string, unknown> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) return undefined;
  const bytes = Buffer.from(part, 'base64url');
  return isUtf8(bytes) ? objectOf(bytes) : undefined;
}

/** A JSON object in bytes; undefined for anything else. */
export function objectOf(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // Not JSON, so not a token of this kind.
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A string or a list of strings. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
