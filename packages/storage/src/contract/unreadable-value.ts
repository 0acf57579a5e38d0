import type { StorageUnreadable } from './errors.ts';
import type { Revision } from './revision.ts';
import type { ChangeEvent, Stored } from './storage.ts';

/** A value that exists and cannot be read. Copying the object with `...` reads the value, and therefore throws too. */
export function unreadableStored(
  { key, revision }: { readonly key: string; readonly revision: Revision },
  unreadable: StorageUnreadable,
): Stored {
  return withoutValue({ key, revision, unreadable });
}

export function unreadablePut(
  event: Pick<ChangeEvent & { kind: 'put' }, 'key' | 'revision' | 'previous'>,
  unreadable: StorageUnreadable,
): ChangeEvent {
  const { key, revision, previous } = event;
  return withoutValue({ kind: 'put' as const, key, revision, previous, unreadable });
}

function withoutValue<Fields extends { readonly unreadable: StorageUnreadable }>(
  fields: Fields,
): Fields & { readonly value: Uint8Array } {
  return Object.defineProperty(fields, 'value', {
    enumerable: true,
    get() {
      throw fields.unreadable;
    },
  }) as Fields & { readonly value: Uint8Array };
}
