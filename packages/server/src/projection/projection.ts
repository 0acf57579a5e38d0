import type { KubeObject } from '@tributary/apimachinery';
import type { StorageBacking } from '../definition/backing.ts';
import type { VersionDefinition } from '../definition/version.ts';
import { defaultLimits, type ProjectionLimits } from './limits.ts';
import { Mirror } from './mirror.ts';
import { ProjectedStorage } from './projected-storage.ts';
import { type OptionalMetadata, Projector } from './projector.ts';
import { reportOnce } from './report-once.ts';
import type { ProjectionSource } from './source.ts';

/** An object as a projection makes it: its type is known. */
export type ProjectedObject<Object> = Omit<Object, 'apiVersion' | 'kind'>;

export interface ProjectionInput<Item, Object = KubeObject> {
  /** The storage version: only its type is used, for the objects of both functions. */
  readonly version?: VersionDefinition<Object>;
  readonly source: ProjectionSource<Item>;
  /**
   * Returns undefined for an item that is not part of the projection, for example without a certain label. Must not
   * change its argument.
   */
  readonly toObject: (item: Item) => ProjectedObject<NoInfer<Object>> | undefined;
  /**
   * The item for an object. `toObject` must restore all metadata from it; other fields may be omitted, and are then
   * only in the response to the write. Fields of `previous` that the projection does not know should be preserved. Must
   * not change its arguments.
   */
  readonly toItem: (object: NoInfer<Object>, previous: Item | undefined) => Item;
  /** Metadata that the source has no room for, and that is silently dropped. Default: none. */
  readonly cannotHold?: readonly OptionalMetadata[];
  readonly limits?: Partial<ProjectionLimits>;
  /** Receives items that cannot be projected, once each. Default: a warning of the process. */
  readonly report?: (problem: Error) => void;
}

/**
 * Objects stored in another system: two functions are enough for every verb and watch. The source is followed from the
 * first request until the server closes, and is not closed itself.
 */
export function projection<Item, Object = KubeObject>(
  input: ProjectionInput<Item, Object>,
): StorageBacking<Object> {
  const { source, cannotHold = [], report = (problem) => process.emitWarning(problem) } = input;
  const limits = { ...defaultLimits, ...input.limits };
  return {
    kind: 'storage',
    open: (layout) => {
      const projector = new Projector<Item>(layout, {
        idOf: source.idOf,
        toObject: input.toObject,
        // Objects have the author's type: the server has validated what it writes.
        toItem: (object, previous) => input.toItem(object as NoInfer<Object>, previous),
        cannotHold,
      });
      const mirror = new Mirror<Item>({ projector, limits, report: reportOnce(report) });
      const { clock, prefix } = layout;
      return new ProjectedStorage({ source, mirror, clock, limits, prefix, projector });
    },
  };
}
