import { StatusError } from '@tributary/apimachinery';
import {
  deleteLeftover,
  type Leftover,
  type LeftoverPage,
  listLeftovers,
  type PlacedResource,
  type RemoteClient,
} from './leftover-requests.ts';

/** Which of the objects are meant; all of them when it is absent. */
export type IsIncluded = (leftover: Leftover, page: Pick<LeftoverPage, 'skewMs'>) => boolean;

export interface DeletionOptions {
  readonly isIncluded?: IsIncluded;
  /** Nothing is deleted: it is only looked how much is left of what was. */
  readonly looksOnly?: boolean;
  /** Told of every page that came. */
  readonly onPage?: (page: LeftoverPage) => void;
}

/** Objects that are deleted and wait for their finalizers. */
export interface HeldLeftovers {
  readonly count: number;
  /** How many of them each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** How many have no finalizer, and go by themselves. */
  readonly going: number;
}

const DELETIONS_AT_ONCE = 8;
/** A server that still has objects after so many rounds does not delete them. */
const ROUNDS_MAX = 10;

/** Deletes the objects of a resource in a namespace, page by page, until no more are found that are not deleted. */
export async function deleteLeftovers(
  client: RemoteClient,
  place: PlacedResource,
  options: DeletionOptions = {},
): Promise<HeldLeftovers> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { isComplete, held } = await goThrough(client, place, options);
    if (isComplete) return heldLeftovers(held);
  }
  const { plural, group } = place.resource;
  throw new Error(
    `${plural}.${group} in namespace ${place.namespace} are there again after they were deleted`,
  );
}

interface Round {
  /** Nothing was found that had to be deleted. */
  readonly isComplete: boolean;
  readonly held: readonly Leftover[];
}

async function goThrough(
  client: RemoteClient,
  place: PlacedResource,
  { isIncluded = () => true, looksOnly = false, onPage }: DeletionOptions,
): Promise<Round> {
  const held: Leftover[] = [];
  let isComplete = true;
  let after: string | undefined;
  do {
    const page = await nextPage(client, place, after);
    if (page === 'expired') return { isComplete: false, held };
    onPage?.(page);
    const included = page.items.filter((leftover) => isIncluded(leftover, page));
    held.push(...included.filter(({ isDeleted }) => isDeleted));
    const alive = looksOnly ? [] : included.filter(({ isDeleted }) => !isDeleted);
    if (alive.length > 0) isComplete = false;
    await deleteAll(client, place, alive);
    after = page.continue;
  } while (after !== undefined);
  return { isComplete, held };
}

async function nextPage(
  client: RemoteClient,
  place: PlacedResource,
  after: string | undefined,
): Promise<LeftoverPage | 'expired'> {
  try {
    return await listLeftovers(client, place, after);
  } catch (error) {
    const isExpired = error instanceof StatusError && error.code === 410;
    if (isExpired && after !== undefined) return 'expired';
    throw error;
  }
}

async function deleteAll(
  client: RemoteClient,
  place: PlacedResource,
  leftovers: readonly Leftover[],
): Promise<void> {
  const { requestsInFlightMax } = client.backend.server.remote.limits;
  const turn = leftovers.values();
  // The first failure ends all requests: a server that fails one will fail the others.
  const stop = new AbortController();
  const signal = AbortSignal.any([client.signal, stop.signal]);
  const workers = Array.from(
    { length: Math.min(DELETIONS_AT_ONCE, requestsInFlightMax, leftovers.length) },
    async () => {
      try {
        for (const leftover of turn) await deleteLeftover({ ...client, signal }, place, leftover);
      } catch (error) {
        stop.abort(error);
        throw error;
      }
    },
  );
  const results = await Promise.allSettled(workers);
  if (stop.signal.aborted) throw stop.signal.reason;
  client.signal.throwIfAborted();
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

function heldLeftovers(held: readonly Leftover[]): HeldLeftovers {
  const finalizers = new Map<string, number>();
  for (const name of held.flatMap((leftover) => leftover.finalizers)) {
    finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
  }
  const going = held.filter((leftover) => leftover.finalizers.length === 0).length;
  return { count: held.length, finalizers, going };
}
