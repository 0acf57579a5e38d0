import type { KubeObject } from '@tributary/apimachinery';

type WithMetadata = Pick<KubeObject, 'metadata'>;

/** The object has an old resourceVersion: the store responds 409, before any other error. */
export function isStale(next: WithMetadata, live: WithMetadata): boolean {
  const seen = next.metadata.resourceVersion ?? '';
  return seen !== '' && seen !== live.metadata.resourceVersion;
}
