import { issueLegacyToken } from './issue-token.ts';
import type { SigningKey } from './key-set.ts';
import type { AccountObject, SecretObject } from './types.ts';

export const accountNameAnnotation = 'kubernetes.io/service-account.name';
export const accountUidAnnotation = 'kubernetes.io/service-account.uid';
export const tokenSecretType = 'kubernetes.io/service-account-token';

export interface TokenSecretOptions {
  readonly key: SigningKey;
  /** PEM of the authority of the serving certificate; may be empty. */
  readonly rootCa: string;
}

export type TokenSecretAction<Secret> =
  | { readonly action: 'none' }
  /** The service account was deleted or created again. */
  | { readonly action: 'delete' }
  | { readonly action: 'update'; readonly secret: Secret };

/** The controller's action for a token Secret. `account` is the account that the Secret's annotation names. */
export async function completeTokenSecret<Secret extends SecretObject>(
  secret: Secret,
  account: AccountObject | undefined,
  { key, rootCa }: TokenSecretOptions,
): Promise<TokenSecretAction<Secret>> {
  if (secret.type !== tokenSecretType) return { action: 'none' };
  if (account === undefined || !belongsTo(secret, account)) return { action: 'delete' };
  const { name = '', namespace = '', uid = '' } = account.metadata;
  const data = { ...secret.data };
  const annotations = { ...secret.metadata.annotations };
  const before = JSON.stringify([data, annotations]);
  if (rootCa !== '') data['ca.crt'] = base64(rootCa);
  if (!data.namespace) data.namespace = base64(secret.metadata.namespace ?? namespace);
  if (!data.token) {
    const secretName = secret.metadata.name ?? '';
    data.token = base64(await issueLegacyToken(key, { namespace, name, uid }, secretName));
  }
  annotations[accountNameAnnotation] = name;
  annotations[accountUidAnnotation] = uid;
  if (JSON.stringify([data, annotations]) === before) return { action: 'none' };
  const metadata = { ...secret.metadata, annotations };
  return { action: 'update', secret: { ...secret, metadata, data } };
}

function belongsTo({ metadata }: SecretObject, account: AccountObject): boolean {
  const name = metadata.annotations?.[accountNameAnnotation];
  const uid = metadata.annotations?.[accountUidAnnotation];
  return name === account.metadata.name && (!uid || uid === account.metadata.uid);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
