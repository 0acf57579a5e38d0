import type { ApiDefinition } from '../../definition/api.ts';
import type { ResourceDefinition } from '../../definition/resource.ts';

/** Resources that come and go while a server runs. */
export interface LiveResources {
  /**
   * Serves it from now on, in place of what had the same id. Requests under way finish with the definition they began
   * with; watches of that one end where `endsWatches` says so, and the next one begins with this definition at once.
   * Throws, and changes nothing, when another id or a resource of the start has the same name or kind in the group.
   */
  serve(id: string, resource: LiveResource): void;
  /** It is served no longer: its watches end, and nothing of it is kept. Of an unknown id nothing happens. */
  stop(id: string): void;
  /** Everything served now: what was defined at the start and what is live; the same array until something changes. */
  readonly apis: () => readonly ApiDefinition[];
  /** Called after every change, in the same turn; answers how to stop listening. */
  onChange(listener: () => void): () => void;
}

/** One resource, which is of the same nature as those of the start. */
export interface LiveResource {
  readonly group: string;
  readonly definition: ResourceDefinition;
  /** Whether watches of what it takes the place of end; otherwise they go on as they began. Default: true. */
  readonly endsWatches?: boolean;
}
