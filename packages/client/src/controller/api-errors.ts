import { StatusError } from '@tributary/apimachinery';

export function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.reason === 'NotFound';
}

/** The result of a request, or undefined when the object does not exist. */
export async function ignoreNotFound<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Another writer was first: the object exists already, or its resourceVersion has changed. */
export function isWriteConflict(error: unknown): boolean {
  return (
    error instanceof StatusError &&
    (error.reason === 'Conflict' || error.reason === 'AlreadyExists')
  );
}

/** The namespace of a write is terminating or deleted, so the object is no longer needed. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (isNotFound(error)) return true;
  if (!(error instanceof StatusError) || error.reason !== 'Forbidden') return false;
  return (error.status.details?.causes ?? []).some(
    ({ reason }) => reason === 'NamespaceTerminating',
  );
}
