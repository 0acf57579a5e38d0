import { StatusError } from '@tributary/apimachinery';

/** The object is not there, or no more. */
export function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.reason === 'NotFound';
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
