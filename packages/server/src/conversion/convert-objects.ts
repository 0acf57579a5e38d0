import type { SignalSource } from '../request/cancellation.ts';
import { andThen, type MaybePromise } from '../request/maybe-promise.ts';
import type { Readable } from '../watch-cache/types.ts';
import type { VersionConverter } from './version-converter.ts';

interface WithConverter {
  /** Absent where every object is stored in the served version. */
  readonly converter?: VersionConverter | undefined;
}

/** Converts cached objects to the served version; synchronously, unless a conversion is remote. */
export function convertItems<Item extends Readable>(
  { converter }: WithConverter,
  items: readonly Item[],
  waiting: SignalSource,
): MaybePromise<readonly Readable[]> {
  return converter === undefined ? items : converter.fromStorage(items, waiting);
}

export function convertItem(
  { converter }: WithConverter,
  item: Readable,
  waiting: SignalSource,
): MaybePromise<Readable> {
  return converter === undefined ? item : convertOne(converter, item, waiting);
}

export function convertOne(
  converter: VersionConverter,
  item: Readable,
  waiting: SignalSource,
): MaybePromise<Readable> {
  return andThen(converter.fromStorage([item], waiting), ([only]) => only ?? item);
}
