import type { KubeObject } from '@tributary/apimachinery';

type WithMetadata = Pick<KubeObject, 'metadata'>;

/** It was made from a state that is gone. The store refuses it with 409, before anything else is said about it. */
export function isOutdated(next: WithMetadata, live: WithMetadata): boolean {
  const seen = next.metadata.resourceVersion ?? '';
  return seen !== '' && seen !== live.metadata.resourceVersion;
}
