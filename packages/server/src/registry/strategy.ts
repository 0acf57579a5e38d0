import type {
  GroupKind,
  GroupResource,
  GroupVersionKind,
  KubeObject,
  NameValidator,
} from '@tributary/apimachinery';
import type { StoredForm } from '../conversion/stored-form.ts';
import type { PrepareContext, StorageHooks } from '../definition/hooks.ts';
import type { UpstreamLifecycleInput } from '../definition/lifecycle.ts';

/** The rules for writes of one resource; the store does what all resources have in common. */
export interface Strategy {
  readonly resource: GroupResource;
  readonly kind: GroupKind & GroupVersionKind;
  readonly namespaced: boolean;
  /** Key prefix of the resource, with the trailing slash. */
  readonly prefix: string;
  /** The prefix in error messages: upstream's, if that differs. */
  readonly errorKeyPrefix: string;
  readonly validateName: NameValidator;
  readonly form: StoredForm;
  /** An update without a resourceVersion takes the latest state; otherwise it is refused. */
  readonly allowUnconditionalUpdate: boolean;
  /** Errors of the metadata of a new object are reported with, and before, all others. */
  readonly validatesMetadataFirst: boolean;
  /** Equal validation errors are reported once. */
  readonly reportsErrorsOnce: boolean;
  /** Its functions change the objects that they are given, which must not be shared then. */
  readonly changesObjects: boolean;
  /** The default grace period, for kinds with graceful deletion. */
  readonly deletionGraceSeconds: ((object: KubeObject) => number) | undefined;
  readonly lifecycle: UpstreamLifecycleInput;
  prepareForCreate(object: KubeObject, context: PrepareContext): KubeObject;
  prepareForUpdate(next: KubeObject, live: KubeObject, context: PrepareContext): KubeObject;
  readonly validate: StorageHooks['validate'];
  readonly validateUpdate: StorageHooks['validateUpdate'];
  /** `live` is defined for an update, `part` for a write of only that part. */
  warnings(object: KubeObject, live?: KubeObject, part?: 'status'): readonly string[];
  canonicalise(object: KubeObject): void;
  /** The last step of an update: a new generation, if the change counts. */
  countChange(next: KubeObject, live: KubeObject): KubeObject;
}
