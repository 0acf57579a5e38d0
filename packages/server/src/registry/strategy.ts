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

/** What is particular to one resource when it is written; the store does what all have in common. */
export interface Strategy {
  readonly resource: GroupResource;
  readonly kind: GroupKind & GroupVersionKind;
  readonly namespaced: boolean;
  /** Key prefix of the resource, with the trailing slash. */
  readonly prefix: string;
  /** The same as clients are told: where the original keeps such objects, if that is elsewhere. */
  readonly errorKeyPrefix: string;
  readonly validateName: NameValidator;
  readonly form: StoredForm;
  /** An update without a resourceVersion takes the latest state; otherwise it is refused. */
  readonly allowUnconditionalUpdate: boolean;
  /** What is wrong with the metadata of a new object is told with, and before, everything else. */
  readonly judgesMetadataFirst: boolean;
  /** Equal validation errors are reported once. */
  readonly reportsErrorsOnce: boolean;
  /** Its functions change what is inside the objects they are given, which must not be shared then. */
  readonly changesObjects: boolean;
  /** Only for kinds whose deletion is graceful: seconds when the client does not say. */
  readonly deletionGraceSeconds: ((object: KubeObject) => number) | undefined;
  readonly lifecycle: UpstreamLifecycleInput;
  prepareForCreate(object: KubeObject, context: PrepareContext): KubeObject;
  prepareForUpdate(next: KubeObject, live: KubeObject, context: PrepareContext): KubeObject;
  readonly validate: StorageHooks['validate'];
  readonly validateUpdate: StorageHooks['validateUpdate'];
  /** `live` is there for an update, `part` when only that part of the object is written. */
  warnings(object: KubeObject, live?: KubeObject, part?: 'status'): readonly string[];
  canonicalise(object: KubeObject): void;
  /** The last step of an update: its generation, when it changes what is counted. */
  countChange(next: KubeObject, live: KubeObject): KubeObject;
}
