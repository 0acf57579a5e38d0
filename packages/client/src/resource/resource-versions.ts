import { compareResourceVersions, StatusError } from '@tributary/apimachinery';

/**
 * Whether a version lies before another one. Only the decimal numbers that servers with a proper store use can
 * be compared; of anything else this says no.
 */
export function isOlder(version: string, than: string): boolean {
  if (!isNumber(version) || !isNumber(than)) return false;
  return compareResourceVersions(version, than) < 0;
}

/** The server has not reached the version that was asked for; maybe it never will. */
export function isTooLargeResourceVersion(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  const causes = error.status.details?.causes ?? [];
  if (causes.some(({ reason }) => reason === 'ResourceVersionTooLarge')) return true;
  // Servers before 1.18.6 have only the words.
  return error.reason === 'Timeout' && error.message.includes('Too large resource version');
}

/** The versions of a server only grow. When they do not, it has another past: its store was restored or replaced. */
export class ResourceVersionRegressedError extends Error {
  readonly before: string;
  readonly now: string;

  constructor(before: string, now: string) {
    super(
      `the resource version went back from ${before} to ${now}: the server has another past now`,
    );
    this.name = 'ResourceVersionRegressedError';
    this.before = before;
    this.now = now;
  }
}

function isNumber(version: string): boolean {
  return /^[1-9][0-9]*$/.test(version);
}
