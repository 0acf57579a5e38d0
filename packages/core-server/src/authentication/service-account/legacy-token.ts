import { timingSafeEqual } from 'node:crypto';
import { notFound } from '@tributary/apimachinery';
import { textOf } from '../jwt-text.ts';
import { splitAccountUserName } from './account-user.ts';
import type { LiveObjects, SecretObject } from './types.ts';
import type { Claims, Owner, ServiceAccountTokenOptions } from './verify-token.ts';

/** The Secret whose token was used, and the date it wants in its label. */
export interface LegacyTokenUse {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly date: string;
}

export const lastUsedLabel = 'kubernetes.io/legacy-token-last-used';
export const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since';
const DAY_MS = 24 * 60 * 60_000;
const INVALIDATED = 'Token has been invalidated';

type Checks = Pick<ServiceAccountTokenOptions, 'live' | 'nowMs' | 'onLegacyTokenUse'>;

interface LegacyClaims {
  readonly namespace: string;
  readonly secretName: string;
  readonly accountName: string;
  readonly accountUid: string;
}

/** The account of a Secret's token, when the Secret still holds it and the account is still the same. */
export async function legacyTokenOwner(
  claims: Claims,
  token: string,
  checks: Checks,
): Promise<Owner> {
  const read = readClaims(claims);
  if (typeof read === 'string') return { why: read };
  const { namespace, secretName, accountName, accountUid } = read;
  const secret = await secretOf(read, checks.live);
  if (secret === undefined || secret.metadata.deletionTimestamp) return { why: INVALIDATED };
  if (!isSame(secret.data?.token ?? '', token)) {
    return { why: "Token does not match server's copy" };
  }
  const why = await accountProblem(read, checks.live);
  if (why !== undefined) return { why };
  tellUse(secret, checks);
  if (secret.metadata.labels?.[invalidSinceLabel]) {
    return {
      why: `the token in secret ${namespace}/${secretName} for service account ${namespace}/${accountName} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${invalidSinceLabel}' label from the secret to temporarily allow use of this token`,
    };
  }
  return { namespace, name: accountName, uid: accountUid };
}

/** The claims, or what is wrong with them. */
function readClaims(claims: Claims): LegacyClaims | string {
  const claim = (name: string) => textOf(claims[`kubernetes.io/serviceaccount/${name}`]);
  const subject = textOf(claims.sub);
  if (subject === '') return 'sub claim is missing';
  const read = {
    namespace: claim('namespace'),
    secretName: claim('secret.name'),
    accountName: claim('service-account.name'),
    accountUid: claim('service-account.uid'),
  };
  if (read.namespace === '') return 'namespace claim is missing';
  if (read.secretName === '') return 'secretName claim is missing';
  if (read.accountName === '') return 'serviceAccountName claim is missing';
  if (read.accountUid === '') return 'serviceAccountUID claim is missing';
  const account = splitAccountUserName(subject);
  if (account?.namespace !== read.namespace || account.name !== read.accountName) {
    return 'sub claim is invalid';
  }
  return read;
}

async function secretOf(
  { namespace, secretName }: LegacyClaims,
  live: LiveObjects,
): Promise<SecretObject | undefined> {
  try {
    return await live.secret(namespace, secretName);
  } catch {
    return undefined; // what cannot be seen does not keep a token alive
  }
}

function isSame(encoded: string, token: string): boolean {
  const [kept, shown] = [Buffer.from(encoded, 'base64'), Buffer.from(token)];
  return kept.length === shown.length && timingSafeEqual(kept, shown);
}

async function accountProblem(
  { namespace, accountName, accountUid }: LegacyClaims,
  live: LiveObjects,
): Promise<string | undefined> {
  const account = await live.serviceAccount(namespace, accountName);
  if (account === undefined) {
    return notFound({ group: '', resource: 'serviceaccounts' }, accountName).message;
  }
  if (account.metadata.deletionTimestamp) {
    return `ServiceAccount ${namespace}/${accountName} has been deleted`;
  }
  const uid = account.metadata.uid ?? '';
  if (uid === accountUid) return undefined;
  return `ServiceAccount UID (${uid}) does not match claim (${accountUid})`;
}

/** Once a day; a label of tomorrow comes from a server whose clock is ahead. */
function tellUse({ metadata }: SecretObject, { nowMs, onLegacyTokenUse }: Checks): void {
  const day = (offsetMs: number) => new Date(nowMs() + offsetMs).toISOString().slice(0, 10);
  const [date, tomorrow] = [day(0), day(DAY_MS)];
  const lastUsed = metadata.labels?.[lastUsedLabel];
  if (lastUsed === date || lastUsed === tomorrow) return;
  const { namespace = '', name = '', uid = '' } = metadata;
  onLegacyTokenUse?.({ namespace, name, uid, date });
}
