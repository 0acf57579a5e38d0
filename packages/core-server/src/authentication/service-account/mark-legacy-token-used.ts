import type { Secret } from '@tributary/api/core-v1';
import type { Client } from '@tributary/client';
import { isNotFound, isWriteConflict, secrets } from '@tributary/client/controller';
import { lastUsedLabel } from './legacy-token.ts';
import type { LegacyTokenUse } from './types.ts';

/** Labels the Secret of a legacy token with the date of its last use, so that administrators find unused ones. */
export async function markLegacyTokenUsed(
  client: Client,
  { namespace, name, uid, date }: LegacyTokenUse,
): Promise<void> {
  const body = { metadata: { uid, labels: { [lastUsedLabel]: date } } };
  try {
    await client.resource<Secret>(secrets).in(namespace).patch(name, { kind: 'merge', body });
  } catch (error) {
    // The Secret was deleted, or created again with another uid.
    if (!isNotFound(error) && !isWriteConflict(error)) throw error;
  }
}
