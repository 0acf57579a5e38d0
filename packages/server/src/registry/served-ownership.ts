import {
  type GroupVersionKind,
  type KubeObject,
  StatusError,
  stringifyJson,
  TypedError,
} from '@tributary/apimachinery';
import type { VersionLens } from '../conversion/version-converter.ts';
import type { VersionLenses } from '../conversion/version-converters.ts';
import { storageView, type VersionView } from '../conversion/version-view.ts';
import type { ResourceDefinition } from '../definition/resource.ts';
import type { VersionDefinition } from '../definition/version.ts';
import { emptyObject, untouched } from './empty-object.ts';
import {
  type ConvertOwned,
  convertedByViews,
  type FieldOwnership,
  fieldOwnership,
  type OwnershipNow,
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

export interface OwnershipOptions {
  readonly subresource: string;
  readonly nowMs: () => number;
}

/** Who owns which fields of a resource in one version, for writes through one of its endpoints. */
export function servedOwnership(
  served: OwnedResource,
  views: ReadonlyMap<string, VersionView>,
  options: OwnershipOptions,
): OwnershipNow {
  return ownershipWith(served, convertedByViews(served.kind, views), options);
}

/** Such conversions are few: one for each version in which somebody has written, and two when an apply takes away. */
const CONVERSIONS_MAX = 64;

/**
 * The same where objects are judged in the served version and somebody may have to be asked for other ones. Who owns
 * what is worked out without waiting: when an object is needed in another version, the work stops, waits for that
 * object, and begins again with it.
 */
export function lensOwnership(
  served: OwnedResource,
  lenses: VersionLenses,
  options: OwnershipOptions,
): FieldOwnership {
  const lens = lenses.of(served.kind.version);
  let found: Map<string, KubeObject | TypedError> | undefined;
  const convert: ConvertOwned = (object, to) => {
    const known = lenses.convertNow(object, to) ?? found?.get(keyOf(object, to));
    if (known === undefined) throw new Unconverted(object, to);
    if (known instanceof TypedError) throw known;
    return known;
  };
  const ownership = ownershipWith({ ...served, view: storageView }, convert, options);
  const eventually = (work: () => KubeObject): KubeObject | Promise<KubeObject> => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Unconverted)) throw error;
      return after(error, work);
    }
  };
  const after = async (first: Unconverted, work: () => KubeObject): Promise<KubeObject> => {
    const own = new Map<string, KubeObject | TypedError>();
    let missing = first;
    while (own.size < CONVERSIONS_MAX) {
      const { object, to } = missing;
      own.set(keyOf(object, to), await convertedOrRefused(lens, object, to));
      found = own;
      try {
        return work();
      } catch (error) {
        if (!(error instanceof Unconverted)) throw error;
        missing = error;
      } finally {
        found = undefined;
      }
    }
    throw new Error(`${served.kind.kind}: owners need more conversions than there can be versions`);
  };
  return {
    track: (live, next, manager) => eventually(() => ownership.track(live, next, manager)),
    apply: (live, config, how) => eventually(() => ownership.apply(live, config, how)),
  };
}

/** What a refusal comes to is for whoever works out the owners: an apply fails, another write forgets them. */
async function convertedOrRefused(
  lens: Pick<VersionLens, 'convert'>,
  object: KubeObject,
  to: string,
): Promise<KubeObject | TypedError> {
  try {
    return await lens.convert(object, to, NOBODY_LEAVES);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return new TypedError([{ path: '', message: error.message }]);
  }
}

/** A conversion has its own time limit, and the write is cancelled before the next step. */
const NOBODY_LEAVES = { signal: new AbortController().signal };

/** An object is needed in another version, and only somebody else can make it. */
class Unconverted extends Error {
  readonly object: KubeObject;
  readonly to: string;

  constructor(object: KubeObject, to: string) {
    super(`an object is not yet known in version ${to}`);
    this.object = object;
    this.to = to;
  }
}

/** The same work makes the same objects again: equal, not identical. */
function keyOf(object: KubeObject, to: string): string {
  return `${to} ${stringifyJson(object)}`;
}

function ownershipWith(
  { kind, version, view, definition, apiVersion }: OwnedResource,
  convert: ConvertOwned,
  { subresource, nowMs }: OwnershipOptions,
): OwnershipNow {
  return fieldOwnership({
    kind,
    subresource,
    view,
    empty: untouched(emptyObject(kind, version), version),
    owned: ownedKind(kind, definition, convert, { apiVersion, subresource }),
    unownedWhenEmpty: version.schema.typed?.emptyMapsNoticed ?? [],
    nowMs,
  });
}
