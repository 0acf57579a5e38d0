import type { VersionView } from '../representation/version-view.ts';
import type { ServedResource } from '../served-resource.ts';
import { emptyObject, untouched } from './empty-object.ts';
import { type FieldOwnership, fieldOwnership, ownedKind } from './field-ownership.ts';

/** Who owns which fields of a resource in one version, for writes through one of its endpoints. */
export function servedOwnership(
  {
    kind,
    version,
    view,
    definition,
    apiVersion,
  }: Pick<ServedResource, 'kind' | 'version' | 'view' | 'definition' | 'apiVersion'>,
  views: ReadonlyMap<string, VersionView>,
  { subresource, nowMs }: { readonly subresource: string; readonly nowMs: () => number },
): FieldOwnership {
  return fieldOwnership({
    kind,
    subresource,
    view,
    empty: untouched(emptyObject(kind, version), version),
    owned: ownedKind(kind, definition, views, { apiVersion, subresource }),
    nowMs,
  });
}
