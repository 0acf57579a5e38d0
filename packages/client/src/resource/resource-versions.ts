import { compareResourceVersions, StatusError } from '@tributary/apimachinery';

/** Whether a version is older than another one. Only decimal numbers can be compared; false for anything else. */
export function isOlder(version: string, than: string): boolean {
  if (!isNumber(version) || !isNumber(than)) return false;
  return compareResourceVersions(version, than) < 0;
}

/** The server has not reached the requested version, and may never reach it. */
export function isTooLargeResourceVersion(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  const causes = error.status.details?.causes ?? [];
  if (causes.some(({ reason }) => reason === 'ResourceVersionTooLarge')) return true;
  // Servers before 1.18.6 have only the message.
  return error.reason === 'Timeout' && error.message.includes('Too large resource version');
}

/** The versions of a server only grow. If they decrease, its store was restored or replaced. */
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
