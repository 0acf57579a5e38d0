import type { GroupResource, GroupVersionKind, KubeObject } from '@tributary/apimachinery';
import type { VersionLens } from '../conversion/version-converter.ts';
import type { VersionView } from '../conversion/version-view.ts';
import type { ResourceDefinition, ResourceVerb } from '../definition/resource.ts';
import type { VersionDefinition } from '../definition/version.ts';
import type { BodyDecoder } from '../registry/body-decoder.ts';
import type { FieldOwnership } from '../registry/field-ownership.ts';
import type { ResourceStore } from '../registry/resource-store.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import type { JudgingThread } from '../validation/validate-context.ts';
import type { WatchCache } from '../watch-cache/types.ts';
import type { AnswerSettings } from './answer-settings.ts';

/** One resource in one version. */
export interface ServedResource {
  readonly definition: ResourceDefinition;
  readonly version: VersionDefinition;
  readonly kind: GroupVersionKind;
  readonly resource: GroupResource;
  readonly apiVersion: string;
  readonly namespaced: boolean;
  /** How the objects that the cache and the store give look in this version. */
  readonly view: VersionView;
  /** Through this they are looked at before: it may take asking somebody. Absent where all are what `view` expects. */
  readonly lens?: VersionLens | undefined;
  /** What answers need beside the objects. Default: the system's clock, and nothing is kept or reported. */
  readonly answers?: AnswerSettings;
  /** Where a large configuration in YAML is read. Default: on the loop. */
  readonly judging?: JudgingThread | undefined;
  /** Asked when a request turns out to be about more than its verb. */
  readonly authorize: Authorizer;
  /** Reads a body of this kind: type, unknown fields and defaults as the schema says. */
  readonly decode: BodyDecoder;
}

/** One whose objects are kept somewhere, with everything its verbs use. */
export interface StoredResource extends ServedResource {
  readonly store: ResourceStore;
  readonly cache: WatchCache;
  /** The object of a bookmark before it has metadata: an empty one of this kind. */
  readonly bookmark: object;
  /** Who owns which fields, for writes of the whole object. */
  readonly ownership: FieldOwnership;
  /** Refuses a changed object, in the version that the store works in, that the schema does not allow. */
  readonly requireValid: (object: KubeObject) => void;
}

export type Endpoint = (request: ApiRequest) => Promise<ApiResponse> | ApiResponse;

/** A resource with what can be done with it. */
export interface ResourceRoutes {
  readonly served: ServedResource;
  readonly verbs: ReadonlyMap<ResourceVerb, Endpoint>;
  readonly subresources: ReadonlyMap<string, SubresourceRoutes>;
}

export interface SubresourceRoutes {
  readonly methods: ReadonlyMap<string, Endpoint>;
  /** Takes requests below its own path too. */
  readonly subpath: boolean;
  /** Not bound by the deadline of ordinary requests. */
  readonly longRunning: boolean;
  /** Reads bodies itself, whatever their type. */
  readonly takesAnyBody: boolean;
}
