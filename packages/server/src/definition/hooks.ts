import type { FieldError, KubeObject } from '@tributary/apimachinery';
import type { MaybePromise } from '../request/maybe-promise.ts';
import type { ValidateContext } from '../validation/validate-context.ts';

/** What an author may say about the objects of a version; each has a correct default. */
export interface VersionHooks<Object = KubeObject> extends StorageHooks<Object> {
  /** Fills in what was left out, in an object that the schema has accepted. It changes the object it is given. */
  readonly applyDefaults: (object: Object) => void;
}

/** These see every object in the storage version, whichever version a client speaks. */
export interface StorageHooks<Object = KubeObject> {
  /** The last changes before a new object is judged and stored. It changes the object it is given. */
  readonly prepareForCreate: (object: Object, context?: PrepareContext) => void;
  /** The same for an update; `live` is what is stored, and is not changed. */
  readonly prepareForUpdate: (next: Object, live: Object, context?: PrepareContext) => void;
  /** What the schema cannot say; what takes long is promised and worked out elsewhere. */
  readonly validate: (
    object: Object,
    context?: ValidateContext,
  ) => MaybePromise<readonly FieldError[]>;
  /** The same for an update, which may be judged by what it changes. Default: `validate`. */
  readonly validateUpdate: (
    next: Object,
    live: Object,
    context?: ValidateContext,
  ) => MaybePromise<readonly FieldError[]>;
  /**
   * What a client should know about an object that is accepted nevertheless; `live` is there for an update, `part` when
   * only that part of it is written.
   */
  readonly warnings: (object: Object, live?: Object, part?: 'status') => readonly string[];
  /** Brings an accepted object into its one stored form. It changes the object it is given. */
  readonly canonicalise: (object: Object) => void;
}

/** What is known of a write. */
export interface PrepareContext {
  /** Nothing of it will be stored. */
  readonly dryRun: boolean;
}
