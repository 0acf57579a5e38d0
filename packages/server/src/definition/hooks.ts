import type { FieldError, KubeObject } from '@tributary/apimachinery';
import type { MaybePromise } from '../request/maybe-promise.ts';
import type { ValidateContext } from '../validation/validate-context.ts';

/** An author's hooks for the objects of a version; each has a correct default. */
export interface VersionHooks<Object = KubeObject> extends StorageHooks<Object> {
  /** Sets defaults that the schema does not have, after the schema has accepted the object. Changes its argument. */
  readonly applyDefaults: (object: Object) => void;
}

/** Hooks that see every object in the storage version, whichever version a client uses. */
export interface StorageHooks<Object = KubeObject> {
  /** Last changes before a new object is validated and stored. Changes its argument. */
  readonly prepareForCreate: (object: Object, context?: PrepareContext) => void;
  /** The same for an update; `live` is the stored object and must not be changed. */
  readonly prepareForUpdate: (next: Object, live: Object, context?: PrepareContext) => void;
  /** Validation beyond the schema; expensive validation returns a promise and runs in the thread. */
  readonly validate: (
    object: Object,
    context?: ValidateContext,
  ) => MaybePromise<readonly FieldError[]>;
  /** The same for an update, which may depend on the stored object. Default: `validate`. */
  readonly validateUpdate: (
    next: Object,
    live: Object,
    context?: ValidateContext,
  ) => MaybePromise<readonly FieldError[]>;
  /** Warnings about an object that is accepted; `live` is set for an update, `part` when only that part is written. */
  readonly warnings: (object: Object, live?: Object, part?: 'status') => readonly string[];
  /** Normalizes an accepted object before it is stored. Changes its argument. */
  readonly canonicalise: (object: Object) => void;
}

/** Attributes of a write. */
export interface PrepareContext {
  /** Nothing is stored. */
  readonly dryRun: boolean;
}
