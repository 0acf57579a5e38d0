/** Keys, configurations and an encrypted store for the tests of encryption. */
import { createSecretKey } from 'node:crypto';
import type { Revision } from '../src/contract/revision.ts';
import type { Storage } from '../src/contract/storage.ts';
import type {
  EncryptionConfig,
  EncryptionKey,
  EncryptionProvider,
} from '../src/encryption/config.ts';
import { type EncryptedStorage, encryptedStorage } from '../src/encryption/encrypted-storage.ts';
import { registryKeyPrefixOf } from '../src/encryption/encryption-rules.ts';

export const SECRETS = '/registry/core/secrets/';

/** 32 bytes that count up from the first. */
export function keyOf(name: string, firstByte: number): EncryptionKey {
  const bytes = Uint8Array.from({ length: 32 }, (_, at) => at + firstByte);
  return { name, secret: createSecretKey(bytes) };
}

export const key1 = keyOf('key1', 1);
export const key2 = keyOf('key2', 2);

export function aesgcm(...keys: EncryptionKey[]): EncryptionProvider {
  return { kind: 'aesgcm', keys };
}
export const identity: EncryptionProvider = { kind: 'identity' };

/** Encrypts `secrets` of the core group and nothing else. */
export function secretsWith(...providers: EncryptionProvider[]): EncryptionConfig {
  return { resources: [{ resources: [{ group: '', resource: 'secrets' }], providers }] };
}

export function encrypted(storage: Storage, ...providers: EncryptionProvider[]): EncryptedStorage {
  return encryptedStorage(storage, secretsWith(...providers), { keyPrefixOf: registryKeyPrefixOf });
}

export async function put(storage: Storage, key: string, value: string): Promise<Revision> {
  return putBytes(storage, key, Buffer.from(value));
}

export async function putBytes(
  storage: Storage,
  key: string,
  value: Uint8Array,
): Promise<Revision> {
  const result = await storage.commit({ require: [], writes: [{ kind: 'put', key, value }] });
  if (result.outcome !== 'written') throw new Error(`conflict at ${result.key}`);
  return result.revision;
}

export async function textOf(storage: Storage, key: string): Promise<string | undefined> {
  const stored = await storage.get(key);
  return stored && Buffer.from(stored.value).toString('latin1');
}
