import type { GroupResource, GroupVersionKind } from '@tributary/apimachinery';
import type { VersionDefinition } from './definition/version.ts';
import type { BodyDecoder } from './registry/body-decoder.ts';
import type { ResourceStore } from './registry/resource-store.ts';
import type { VersionView } from './representation/version-view.ts';
import type { ResourceDefinition } from './resource.ts';
import type { WatchCache } from './watch-cache/types.ts';

/** One resource in one version, with everything its verbs use. */
export interface ServedResource {
  readonly definition: ResourceDefinition;
  readonly version: VersionDefinition;
  readonly kind: GroupVersionKind;
  readonly resource: GroupResource;
  readonly apiVersion: string;
  readonly namespaced: boolean;
  readonly store: ResourceStore;
  readonly cache: WatchCache;
  readonly view: VersionView;
  /** The object of a bookmark before it has metadata: an empty one of this kind. */
  readonly bookmark: object;
  /** Reads a body of this kind: type, unknown fields and defaults as the schema says. */
  readonly decode: BodyDecoder;
}
