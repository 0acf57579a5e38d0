import { fieldManagerFromUserAgent } from '@tributary/apimachinery';
import type { ApiRequest } from '../pipeline.ts';
import type { WriteContext } from '../registry/admission.ts';

/** Who writes, and how, as the request says. */
export function writeContext(
  { user, cancellation, warnings }: ApiRequest,
  dryRun: boolean,
): WriteContext {
  return { user, dryRun, signal: cancellation.signal, warn: (text) => warnings.add(text) };
}

/** Who owns what a request writes: whom it names, or the program that sends it. */
export function managerOf({ headers }: ApiRequest, fieldManager: string): string {
  return fieldManager || fieldManagerFromUserAgent(headers.get('user-agent') ?? '');
}
