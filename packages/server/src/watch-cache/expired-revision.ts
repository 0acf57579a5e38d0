/** The errors of revisions that the history does not reach (410). */
import { expired, type StatusError } from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';

/** A watch whose start is older than the history. */
export function expiredWatch(requested: Revision, oldest: Revision): StatusError {
  return expired(`too old resource version: ${requested} (${oldest})`);
}

/** A list at a revision that is older than the history. */
export function expiredList(): StatusError {
  return expired('The resourceVersion for the provided list is too old.');
}

/** A list that continues at a revision older than the history; the token continues it at the present revision. */
export function expiredContinue(inconsistentToken: string): StatusError {
  return expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    { continue: inconsistentToken },
  );
}
