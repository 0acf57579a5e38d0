import {
  type GroupVersionKind,
  type KubeObject,
  StatusError,
  stringifyJson,
  TypedError,
} from '@tributary/apimachinery';
import type { VersionConverter } from '../conversion/version-converter.ts';
import type { VersionConverters } from '../conversion/version-converters.ts';
import { storageView, type VersionView } from '../conversion/version-view.ts';
import type { ResourceDefinition } from '../definition/resource.ts';
import type { VersionDefinition } from '../definition/version.ts';
import { emptyObject, unsetObject } from './empty-object.ts';
import {
  type ApplyOwner,
  type ConvertOwned,
  convertedByViews,
  type FieldOwnership,
  FieldTracker,
  ownedKind,
} from './field-ownership.ts';

/** A resource in one version, as far as field ownership depends on it. */
interface OwnedResource {
  readonly definition: ResourceDefinition;
  readonly version: VersionDefinition;
  readonly kind: GroupVersionKind;
  readonly apiVersion: string;
  readonly view: VersionView;
}

interface OwnershipOptions {
  readonly subresource: string;
  readonly nowMs: () => number;
}

/** Field ownership of a resource in one version, for writes through one of its endpoints. */
export function servedOwnership(
  served: OwnedResource,
  views: ReadonlyMap<string, VersionView>,
  options: OwnershipOptions,
): FieldOwnership {
  const tracker = fieldTracker(served, convertedByViews(served.kind, views), options);
  return {
    track: async (live, next, manager) => tracker.track(live, next, manager),
    apply: async (live, config, owner) => tracker.apply(live, config, owner),
  };
}

/** Bounds conversions per write: one for each version that a manager wrote in, and two when an apply removes fields. */
const CONVERSIONS_MAX = 64;

/**
 * Field ownership of a resource whose objects may have to be converted by a webhook. The tracker is synchronous: when it
 * needs an object in another version it stops with `Unconverted`, and runs again once that object has been converted.
 */
export class ConvertingOwnership implements FieldOwnership {
  readonly #kind: string;
  readonly #converters: VersionConverters;
  readonly #converter: VersionConverter;
  readonly #tracker: FieldTracker;
  /** Set only during a run of the tracker, which does not wait: concurrent writes do not see each other's objects. */
  #converted: Converted | undefined;

  constructor(served: OwnedResource, converters: VersionConverters, options: OwnershipOptions) {
    this.#kind = served.kind.kind;
    this.#converters = converters;
    this.#converter = converters.of(served.kind.version);
    const convert: ConvertOwned = (object, to) => this.#convert(object, to);
    this.#tracker = fieldTracker({ ...served, view: storageView }, convert, options);
  }

  track(live: KubeObject | undefined, next: KubeObject, manager: string): Promise<KubeObject> {
    return this.#run(() => this.#tracker.track(live, next, manager));
  }

  apply(live: KubeObject | undefined, config: KubeObject, owner: ApplyOwner): Promise<KubeObject> {
    return this.#run(() => this.#tracker.apply(live, config, owner));
  }

  async #run(compute: () => KubeObject): Promise<KubeObject> {
    const converted: Converted = new Map();
    for (;;) {
      try {
        return this.#computeWith(converted, compute);
      } catch (error) {
        if (!(error instanceof Unconverted)) throw error;
        if (converted.size === CONVERSIONS_MAX) {
          throw new Error(
            `${this.#kind}: field ownership needs more than ${CONVERSIONS_MAX} conversions`,
          );
        }
        const { object, to } = error;
        converted.set(keyOf(object, to), await convertedOrRefused(this.#converter, object, to));
      }
    }
  }

  #computeWith(converted: Converted, compute: () => KubeObject): KubeObject {
    this.#converted = converted;
    try {
      return compute();
    } finally {
      this.#converted = undefined;
    }
  }

  #convert(object: KubeObject, to: string): KubeObject {
    const known =
      this.#converters.convertNow(object, to) ?? this.#converted?.get(keyOf(object, to));
    if (known === undefined) throw new Unconverted(object, to);
    if (known instanceof TypedError) throw known;
    return known;
  }
}

/** Converted objects, or the errors of their conversion. */
type Converted = Map<string, KubeObject | TypedError>;

/** Returns conversion errors: the tracker decides whether one fails an apply or makes another write drop its managers. */
async function convertedOrRefused(
  converter: Pick<VersionConverter, 'convert'>,
  object: KubeObject,
  to: string,
): Promise<KubeObject | TypedError> {
  try {
    return await converter.convert(object, to, NEVER_CANCELLED);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return new TypedError([{ path: '', message: error.message }]);
  }
}

/** A conversion has a timeout of its own, and the write is cancelled before its next step. */
const NEVER_CANCELLED = { signal: new AbortController().signal };

/** An object is needed in another version, which only a webhook can make. */
class Unconverted extends Error {
  readonly object: KubeObject;
  readonly to: string;

  constructor(object: KubeObject, to: string) {
    super(`an object is not yet known in version ${to}`);
    this.object = object;
    this.to = to;
  }
}

/** Repeating the computation makes equal objects, not identical ones. */
function keyOf(object: KubeObject, to: string): string {
  return `${to} ${stringifyJson(object)}`;
}

function fieldTracker(
  { kind, version, view, definition, apiVersion }: OwnedResource,
  convert: ConvertOwned,
  { subresource, nowMs }: OwnershipOptions,
): FieldTracker {
  return new FieldTracker({
    kind,
    subresource,
    view,
    empty: unsetObject(emptyObject(kind, version), version),
    owned: ownedKind(kind, definition, convert, { apiVersion, subresource }),
    unownedWhenEmpty: version.schema.typed?.distinctEmptyMaps ?? [],
    nowMs,
  });
}
