import {
  badRequest,
  type FieldSelector,
  type LabelSelector,
  type ListOptions,
} from '@tributary/apimachinery';
import type { RequestInfo } from '../request-info.ts';
import type { ServedResource } from '../served-resource.ts';
import type { ReadWindow } from '../watch-cache/types.ts';

/** Which objects of a resource a list, watch or deletecollection is about. */
export interface Selection {
  readonly window: ReadWindow;
  /** Whether anything but the place narrows it: counts are unknown then. */
  readonly selective: boolean;
}

const ALWAYS_SELECTABLE = ['metadata.name', 'metadata.namespace'];

export function selectionOf(
  info: RequestInfo,
  { labelSelector, fieldSelector }: ListOptions,
  served: ServedResource,
): Selection {
  requireSelectable(fieldSelector);
  return {
    window: windowOf(info, served, labelSelector, fieldSelector),
    selective: !labelSelector.isEmpty || !fieldSelector.isEmpty,
  };
}

function requireSelectable({ requirements }: FieldSelector): void {
  for (const { field } of requirements) {
    if (!ALWAYS_SELECTABLE.includes(field)) {
      const known = ALWAYS_SELECTABLE.map((name) => JSON.stringify(name)).join(', ');
      throw badRequest(`${JSON.stringify(field)} is not a known field selector: only ${known}`);
    }
  }
}

/** Equality on name and namespace narrows the place to read; what is left is matched object by object. */
function windowOf(
  info: RequestInfo,
  { namespaced }: ServedResource,
  labels: LabelSelector,
  fields: FieldSelector,
): ReadWindow {
  const namespace = info.namespace || (equalTo(fields, 'metadata.namespace') ?? '');
  // The old watch path names its object in the URL.
  const name = info.parts[1] ?? equalTo(fields, 'metadata.name');
  const path = pathOf(namespaced, namespaced ? namespace : '', name);
  if (labels.isEmpty && fields.isEmpty && info.parts[1] === undefined) return { path };
  return {
    path,
    ...(name !== undefined && { where: { field: 'metadata.name', value: name } }),
    matches: (object) => labels.matches(object.labels) && fields.matches(object.fields),
  };
}

function pathOf(namespaced: boolean, namespace: string, name: string | undefined): string {
  if (!namespaced) return name ?? '';
  if (namespace === '') return '';
  return `${namespace}/${name ?? ''}`;
}

/** A value that can be part of a key; others are left to the match, which nothing passes. */
function equalTo(fields: FieldSelector, field: string): string | undefined {
  const value = fields.exactMatch(field);
  return value === '' || value?.includes('/') ? undefined : value;
}
