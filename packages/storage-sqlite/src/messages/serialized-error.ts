import {
  Compacted,
  FutureRevision,
  type Revision,
  StorageClosed,
  StorageUnavailable,
} from '@tributary/storage';
import { StorageDamaged, StorageInUse, UnsupportedFormat } from './errors.ts';

/** An error as a message between threads: structured cloning loses classes. */
export type SerializedError =
  | { readonly kind: 'compacted'; readonly requested: Revision; readonly oldest: Revision }
  | { readonly kind: 'future'; readonly requested: Revision; readonly current: Revision }
  | { readonly kind: 'closed' }
  | {
      readonly kind: 'damaged' | 'in-use' | 'format' | 'unavailable';
      readonly message: string;
    };

export function serializeError(error: unknown): SerializedError {
  if (error instanceof Compacted) {
    return { kind: 'compacted', requested: error.requested, oldest: error.oldest };
  }
  if (error instanceof FutureRevision) {
    return { kind: 'future', requested: error.requested, current: error.current };
  }
  if (error instanceof StorageClosed) return { kind: 'closed' };
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof StorageDamaged) return { kind: 'damaged', message };
  if (error instanceof StorageInUse) return { kind: 'in-use', message };
  if (error instanceof UnsupportedFormat) return { kind: 'format', message };
  return { kind: 'unavailable', message };
}

export function deserializeError(failure: SerializedError): Error {
  switch (failure.kind) {
    case 'compacted':
      return new Compacted(failure.requested, failure.oldest);
    case 'future':
      return new FutureRevision(failure.requested, failure.current);
    case 'closed':
      return new StorageClosed();
    case 'damaged':
      return new StorageDamaged(failure.message);
    case 'in-use':
      return new StorageInUse(failure.message);
    case 'format':
      return new UnsupportedFormat(failure.message);
    case 'unavailable':
      return new StorageUnavailable(failure.message);
  }
}
