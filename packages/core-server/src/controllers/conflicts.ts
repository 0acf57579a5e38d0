import { StatusError } from '@tributary/apimachinery';

/** The object is not there, or no more. */
export function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.reason === 'NotFound';
}

/** What was asked for, or undefined when it is not there. */
export async function unlessMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Somebody else was faster: it is there already, or it is no longer what it was. */
export function isConflict(error: unknown): boolean {
  return (
    error instanceof StatusError &&
    (error.reason === 'Conflict' || error.reason === 'AlreadyExists')
  );
}

/** The namespace takes nothing more, or is gone: whatever should have been made there is not needed. */
export function isNamespaceGone(error: unknown): boolean {
  if (isNotFound(error)) return true;
  if (!(error instanceof StatusError) || error.reason !== 'Forbidden') return false;
  return (error.status.details?.causes ?? []).some(
    ({ reason }) => reason === 'NamespaceTerminating',
  );
}
