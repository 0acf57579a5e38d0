import { fieldManagerFromUserAgent } from '@tributary/apimachinery';
import type { Preconditions, WriteOptions } from '../registry/write-options.ts';
import type { ApiRequest } from '../request/pipeline.ts';

/** The identity and options of a write, from the request. */
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
    // An abort signal is created only for writes that wait.
    get signal() {
      return cancellation.signal;
    },
    warn: (text) => warnings.add(text),
  };
}

/** The field manager: the one that the request names, or the program in its User-Agent. */
export function managerOf({ headers }: ApiRequest, fieldManager: string): string {
  return fieldManager || fieldManagerFromUserAgent(headers.get('user-agent') ?? '');
}
