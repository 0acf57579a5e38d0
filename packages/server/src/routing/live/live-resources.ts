import type { ApiDefinition } from '../../definition/api.ts';
import type { ResourceDefinition } from '../../definition/resource.ts';

/** Resources added to and removed from a running server. */
export interface LiveResources {
  /**
   * Serves a resource in place of the one with the same id. Requests under way finish with the definition they began
   * with; watches of the previous one end where `endsWatches` says so, and new ones use this definition at once.
   * Throws, and changes nothing, when another id or a resource of the start has the same name or kind in the group.
   */
  serve(id: string, resource: LiveResource): void;
  /** Stops serving a resource: its watches end and its cache is dropped. An unknown id is ignored. */
  stop(id: string): void;
  /** All served APIs, those of the start and live ones; the same array until something changes. */
  readonly apis: () => readonly ApiDefinition[];
  /** Called after every change, in the same turn; returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}

/** A resource like those of the start. */
export interface LiveResource {
  readonly group: string;
  readonly definition: ResourceDefinition;
  /** Whether watches of the replaced resource end; otherwise they continue as they began. Default: true. */
  readonly endsWatches?: boolean;
}
