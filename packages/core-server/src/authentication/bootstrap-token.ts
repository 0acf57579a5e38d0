import { timingSafeEqual } from 'node:crypto';
import { parseTime } from '@tributary/apimachinery';
import type { Authentication, UserInfo } from '@tributary/server';
import type { SecretObject } from './service-account/types.ts';
import { noOpinion } from './token-lookup.ts';

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const DEFAULT_GROUP = 'system:bootstrappers';

export interface BootstrapTokenOptions {
  /** A Secret of `kube-system`, from an informer. */
  readonly secret: (name: string) => SecretObject | undefined;
  readonly nowMs: () => number;
}

/** Bootstrap tokens, by which nodes join, stored in Secrets. An invalid token is left to other authenticators. */
export function bootstrapTokens({
  secret,
  nowMs,
}: BootstrapTokenOptions): (token: string) => Authentication {
  return (token) => {
    const [, id, password] = TOKEN.exec(token) ?? [];
    if (id === undefined || password === undefined) return noOpinion;
    const found = secret(`bootstrap-token-${id}`);
    const user = found && userOf(found, { id, password, nowMs: nowMs() });
    return user === undefined ? noOpinion : { outcome: 'authenticated', user };
  };
}

function userOf(
  { type, data, metadata }: SecretObject,
  { id, password, nowMs }: { id: string; password: string; nowMs: number },
): UserInfo | undefined {
  if (metadata.deletionTimestamp || type !== 'bootstrap.kubernetes.io/token') return undefined;
  const value = (key: string) => Buffer.from(data?.[key] ?? '', 'base64').toString('utf8');
  if (!isSame(value('token-secret'), password) || value('token-id') !== id) return undefined;
  if (isExpired(value('expiration'), nowMs)) return undefined;
  if (value('usage-bootstrap-authentication') !== 'true') return undefined;
  const groups = groupsOf(value('auth-extra-groups'));
  if (groups === undefined) return undefined;
  return { name: `system:bootstrap:${id}`, uid: '', groups, extra: {} };
}

function isSame(expected: string, presented: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(presented)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** An unparsable expiration counts as expired. */
function isExpired(expiration: string, nowMs: number): boolean {
  if (expiration === '') return false;
  const parsed = parseTime(expiration);
  return !parsed.ok || parsed.milliseconds <= nowMs;
}

/** Sorted, without repeats; undefined when one is not a valid bootstrap group. */
function groupsOf(extra: string): string[] | undefined {
  const more = extra === '' ? [] : extra.split(',');
  if (!more.every((group) => GROUP.test(group))) return undefined;
  return [...new Set([DEFAULT_GROUP, ...more])].sort();
}
