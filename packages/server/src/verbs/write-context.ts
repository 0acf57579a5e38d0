import { fieldManagerFromUserAgent } from '@tributary/apimachinery';
import type { Preconditions, WriteOptions } from '../registry/resource-store.ts';
import type { ApiRequest } from '../request/pipeline.ts';

/** Who writes, and how, as the request says. */
export function writeContext(
  { user, info, cancellation, warnings }: ApiRequest,
  dryRun: boolean,
  preconditions?: Preconditions,
): WriteOptions {
  return {
    user,
    dryRun,
    preconditions,
    requestName: info.name,
    // A signal is not free: it is made only for who waits.
    get signal() {
      return cancellation.signal;
    },
    warn: (text) => warnings.add(text),
  };
}

/** Who owns what a request writes: whom it names, or the program that sends it. */
export function managerOf({ headers }: ApiRequest, fieldManager: string): string {
  return fieldManager || fieldManagerFromUserAgent(headers.get('user-agent') ?? '');
}
