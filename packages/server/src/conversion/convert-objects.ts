import type { Waiting } from '../request/cancellation.ts';
import { andThen, type MaybePromise } from '../request/maybe-promise.ts';
import type { Readable } from '../watch-cache/types.ts';
import type { VersionLens } from './version-converter.ts';

interface Lens {
  /** Absent where every object is of the version that is served. */
  readonly lens?: VersionLens | undefined;
}

/** Objects of the cache as `view` expects them; at once, unless somebody must be asked. */
export function lifted<Item extends Readable>(
  { lens }: Lens,
  items: readonly Item[],
  waiting: Waiting,
): MaybePromise<readonly Readable[]> {
  return lens === undefined ? items : lens.lift(items, waiting);
}

export function liftedOne(
  { lens }: Lens,
  item: Readable,
  waiting: Waiting,
): MaybePromise<Readable> {
  return lens === undefined ? item : liftOne(lens, item, waiting);
}

export function liftOne(
  lens: VersionLens,
  item: Readable,
  waiting: Waiting,
): MaybePromise<Readable> {
  return andThen(lens.lift([item], waiting), ([only]) => only ?? item);
}
