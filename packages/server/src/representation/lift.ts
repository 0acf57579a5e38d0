import type { ServedResource } from '../served-resource.ts';
import type { Readable } from '../watch-cache/types.ts';
import type { Waiting } from './version-lens.ts';

type Eventually<T> = T | Promise<T>;
type Lens = Pick<ServedResource, 'lens'>;

/** Objects of the cache as `view` expects them; at once, unless somebody must be asked. */
export function lifted<Item extends Readable>(
  { lens }: Lens,
  items: readonly Item[],
  waiting: Waiting,
): Eventually<readonly Readable[]> {
  return lens === undefined ? items : lens.lift(items, waiting);
}

export function liftedOne({ lens }: Lens, item: Readable, waiting: Waiting): Eventually<Readable> {
  if (lens === undefined) return item;
  const one = lens.lift([item], waiting);
  return one instanceof Promise ? one.then(([only]) => only ?? item) : (one[0] ?? item);
}
