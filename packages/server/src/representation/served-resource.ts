import type { GroupResource, GroupVersionKind, KubeObject } from '@tributary/apimachinery';
import type { VersionConverter } from '../conversion/version-converter.ts';
import type { VersionView } from '../conversion/version-view.ts';
import type { ResourceDefinition, ResourceVerb } from '../definition/resource.ts';
import type { VersionDefinition } from '../definition/version.ts';
import type { BodyDecoder } from '../registry/body-decoder.ts';
import type { FieldOwnership } from '../registry/field-ownership.ts';
import type { ResourceStore } from '../registry/resource-store.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import type { ValidationThread } from '../validation/validate-context.ts';
import type { WatchCache } from '../watch-cache/types.ts';
import type { ResponseSettings } from './response-settings.ts';

/** One resource in one version. */
export interface ServedResource {
  readonly definition: ResourceDefinition;
  readonly version: VersionDefinition;
  readonly kind: GroupVersionKind;
  readonly resource: GroupResource;
  readonly apiVersion: string;
  readonly namespaced: boolean;
  /** Represents objects of the cache and the store in this version. */
  readonly view: VersionView;
  /**
   * Converts objects before `view` sees them, possibly by a webhook. Absent when all objects are in the version that
   * `view` expects.
   */
  readonly converter?: VersionConverter | undefined;
  /** Settings of responses. Default: the system clock, no cached list bodies and no reports. */
  readonly responses?: ResponseSettings;
  /** The thread that decodes large YAML documents. Default: the event loop. */
  readonly validationThread?: ValidationThread | undefined;
  /** Authorizes what a request needs beyond its verb, such as creating on update. */
  readonly authorize: Authorizer;
  /** Decodes a body of this kind: type, unknown fields and defaults by the schema. */
  readonly decode: BodyDecoder;
}

/** A resource with objects in a store, and what its verbs use. */
export interface StoredResource extends ServedResource {
  readonly store: ResourceStore;
  readonly cache: WatchCache;
  /** The object of a bookmark without its metadata: an empty object of this kind. */
  readonly bookmark: object;
  /** Field ownership of writes of the whole object. */
  readonly ownership: FieldOwnership;
  /** Throws when a changed object, in the storage version, violates the schema. */
  readonly requireValid: (object: KubeObject) => void;
}

export type Endpoint = (request: ApiRequest) => Promise<ApiResponse> | ApiResponse;

/** A resource with its endpoints. */
export interface ResourceRoutes {
  readonly served: ServedResource;
  readonly verbs: ReadonlyMap<ResourceVerb, Endpoint>;
  readonly subresources: ReadonlyMap<string, SubresourceRoutes>;
}

export interface SubresourceRoutes {
  readonly methods: ReadonlyMap<string, Endpoint>;
  /** Whether the endpoint also serves paths below its own. */
  readonly subpath: boolean;
  /** Exempt from the deadline of ordinary requests. */
  readonly longRunning: boolean;
  /** Whether the endpoint reads bodies of any content type itself. */
  readonly takesAnyBody: boolean;
}
