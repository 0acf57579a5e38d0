/** A history is data, so that one that shows a difference can be printed, shortened and kept. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export type Path = readonly (string | number)[];

/** A change that a client makes to what it has read. Containers on the way are made. */
export type Edit =
  | { readonly op: 'set'; readonly path: Path; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Path };

/** The manager, the version and the verb of a write. */
export interface Writing {
  readonly version: string;
  readonly subresource?: 'status' | 'scale';
  /** Undefined leaves it to the user agent. */
  readonly manager?: string;
  readonly userAgent?: string;
  readonly dryRun?: boolean;
}

/** The treatment of managedFields by a client that replaces an object. */
export type SentManagedFields =
  /** Sends them back. */
  | 'kept'
  /** Does not know them. */
  | 'dropped'
  /** Sends an empty list, or one empty entry, which removes all ownership. */
  | 'emptied'
  | 'blank'
  /** Sends them with times of long ago, one second apart, so that what gets a new time can be seen. */
  | 'aged'
  /** Sends something that is no managedFields. */
  | 'broken'
  /** Adds entries of more updaters than are kept, with times of long ago. */
  | 'crowded';

export type Step =
  | (Writing & { readonly do: 'create'; readonly body: JsonObject })
  | (Writing & { readonly do: 'apply'; readonly body: JsonObject; readonly force?: boolean })
  | (Writing & {
      readonly do: 'put';
      readonly edits: readonly Edit[];
      readonly managedFields: SentManagedFields;
      readonly resourceVersion: 'live' | 'stale' | 'none';
    })
  | (Writing & {
      readonly do: 'patch';
      readonly type: 'json' | 'merge' | 'strategic';
      readonly body: Json;
    })
  | { readonly do: 'delete'; readonly version: string };

export type History = readonly Step[];

/** The name of the object that a history is about; replaced in bodies when the history is run. */
export const NAME = 'NAME';
