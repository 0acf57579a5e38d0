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
  /** The version that is stored: only its type is used, for the objects of both functions. */
  readonly version?: VersionDefinition<Object>;
  readonly source: ProjectionSource<Item>;
  /** Nothing for an item that is not one of ours, without a label of ours for example. Changes nothing it is given. */
  readonly toObject: (item: Item) => ProjectedObject<NoInfer<Object>> | undefined;
  /**
   * The item for an object. All metadata must come back from it by `toObject`; other fields may be
   * left out, and are then seen only in the answer to the write. What of `previous` the projection
   * does not know should stay. Changes nothing it is given.
   */
  readonly toItem: (object: NoInfer<Object>, previous: Item | undefined) => Item;
  /** Metadata that the source has no place for, and that is silently not kept. Default: none. */
  readonly cannotHold?: readonly OptionalMetadata[];
  readonly limits?: Partial<ProjectionLimits>;
  /** Told, once each, of items that cannot be shown. Default: a warning of the process. */
  readonly report?: (problem: Error) => void;
}

/**
 * Objects that live in something else: two functions give every verb and a watch. It is followed from
 * the first request on until the server closes; the source itself stays its owner's.
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
