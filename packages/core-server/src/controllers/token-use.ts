import type { Secret } from '@tributary/api/core-v1';
import type { Client } from '@tributary/client';
import { isNotFound, isWriteConflict, secrets } from '@tributary/client/controller';
import { type LegacyTokenUse, lastUsedLabel } from '../authentication/index.ts';

/** Notes on a Secret that its token is still in use, so that somebody can tell which are not. */
export async function markTokenUse(
  client: Client,
  { namespace, name, uid, date }: LegacyTokenUse,
): Promise<void> {
  const body = { metadata: { uid, labels: { [lastUsedLabel]: date } } };
  try {
    await client.resource<Secret>(secrets).in(namespace).patch(name, { kind: 'merge', body });
  } catch (error) {
    // A Secret that is gone, or another by now, needs no note.
    if (!isNotFound(error) && !isWriteConflict(error)) throw error;
  }
}
