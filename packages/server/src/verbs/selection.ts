import {
  badRequest,
  type FieldRequirement,
  FieldSelector,
  goQuote,
  type KubeObject,
  LabelSelector,
  type ListOptions,
} from '@tributary/apimachinery';
import { selectableFieldsOf, selectableKey } from '../registry/selectable-fields.ts';
import type { ServedResource } from '../representation/served-resource.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { Readable, ReadWindow } from '../watch-cache/types.ts';

/** The objects that a list, watch or deletecollection selects. */
export interface Selection {
  readonly window: ReadWindow;
  /** Whether a selector narrows the list: the remaining count is unknown then. */
  readonly selective: boolean;
  /** Selects converted objects by what the stored version does not know. */
  readonly late?: LateMatch;
}

export type LateMatch = (shown: Readable) => boolean;

const ALWAYS_SELECTABLE: readonly string[] = ['metadata.name', 'metadata.namespace'];

export function selectionOf(
  info: RequestInfo,
  { labelSelector, fieldSelector }: ListOptions,
  served: ServedResource,
): Selection {
  const fields = inCache(fieldSelector, served);
  const selective = !labelSelector.isEmpty || !fieldSelector.isEmpty;
  if (!served.converter?.isRemote) {
    return { window: windowOf(info, served, labelSelector, fields), selective };
  }
  const { known, unknown } = divided(fields);
  // A conversion webhook may change labels.
  const window = windowOf(info, served, LabelSelector.everything, known);
  const isLate = !labelSelector.isEmpty || !unknown.isEmpty;
  return { window, selective, ...(isLate && { late: lateMatch(labelSelector, unknown, served) }) };
}

/** Requirements that apply to every version, and those that apply only to the version of the request. */
function divided({ requirements }: FieldSelector) {
  const isKnown = ({ field }: FieldRequirement) => ALWAYS_SELECTABLE.includes(field);
  return {
    known: new FieldSelector(requirements.filter(isKnown)),
    unknown: new FieldSelector(requirements.filter((one) => !isKnown(one))),
  };
}

function lateMatch(
  labels: LabelSelector,
  fields: FieldSelector,
  served: ServedResource,
): LateMatch {
  const fieldsOf = ownFields(served);
  return (shown) => {
    const object = shown.object();
    return labels.matches(object.metadata.labels ?? {}) && fields.matches(fieldsOf?.(object) ?? {});
  };
}

/** The same for objects that are not in a cache. */
export function selectsObject(
  { labelSelector, fieldSelector }: ListOptions,
  served: ServedResource,
): (stored: KubeObject) => boolean {
  const fields = inCache(fieldSelector, served);
  const fieldsOf = ownFields(served);
  return (stored) => {
    const { name = '', namespace = '', labels = {} } = stored.metadata;
    const own = { 'metadata.name': name, 'metadata.namespace': namespace };
    return labelSelector.matches(labels) && fields.matches({ ...own, ...fieldsOf?.(stored) });
  };
}

/** The selectable fields of this version alone. */
function ownFields({ apiVersion, version, view }: ServedResource) {
  const { selectableFields: paths, selectableValues: values } = version;
  const shown = (stored: KubeObject) => view.fromStorage(stored);
  return selectableFieldsOf([{ apiVersion, paths, values, shown }]);
}

/** The selector with the cache's field names, which are distinct per version. */
function inCache(selector: FieldSelector, served: ServedResource): FieldSelector {
  if (selector.isEmpty) return selector;
  const { apiVersion, version } = served;
  const always = alwaysSelectable(served);
  const translated = selector.translate((field, value) => {
    if (always.includes(field)) return { ok: true, field, value };
    if (version.selectableFields.includes(field)) {
      return { ok: true, field: selectableKey(apiVersion, field), value };
    }
    return { ok: false, message: unknownField(field, served) };
  });
  if (!translated.ok) throw badRequest(translated.message);
  return translated.selector;
}

/** Only kinds without declared field selectors allow metadata.namespace for cluster-scoped objects. */
function alwaysSelectable({ version, namespaced }: ServedResource): readonly string[] {
  return version.restrictsFieldLabels && !namespaced ? ['metadata.name'] : ALWAYS_SELECTABLE;
}

function unknownField(field: string, { version }: ServedResource): string {
  const { restrictsFieldLabels } = version;
  if (typeof restrictsFieldLabels === 'function') return restrictsFieldLabels(field);
  if (restrictsFieldLabels) return `field label not supported: ${field}`;
  const known = [...ALWAYS_SELECTABLE, ...version.selectableFields].map(goQuote).join(', ');
  return `${goQuote(field)} is not a known field selector: only ${known}`;
}

/** Equality on name and namespace narrows the key range; other requirements are matched per object. */
function windowOf(
  info: RequestInfo,
  { namespaced }: ServedResource,
  labels: LabelSelector,
  fields: FieldSelector,
): ReadWindow {
  const namespace = info.namespace || (equalTo(fields, 'metadata.namespace') ?? '');
  // The deprecated watch path names its object in the URL.
  const name = info.parts[1] ?? equalTo(fields, 'metadata.name');
  const path = pathOf(namespaced, namespaced ? namespace : '', name);
  if (labels.isEmpty && fields.isEmpty && info.parts[1] === undefined) return { path };
  const where = name === undefined ? pinnedField(fields) : { field: 'metadata.name', value: name };
  return {
    path,
    ...(where && { where }),
    matches: (object) => labels.matches(object.labels) && fields.matches(object.fields),
  };
}

/** Equality on a declared field is served from its index. */
function pinnedField({ requirements }: FieldSelector): ReadWindow['where'] {
  const pinned = requirements.find(
    ({ field, operator }) => operator === '=' && !ALWAYS_SELECTABLE.includes(field),
  );
  return pinned && { field: pinned.field, value: pinned.value };
}

function pathOf(namespaced: boolean, namespace: string, name: string | undefined): string {
  if (!namespaced) return name ?? '';
  if (namespace === '') return '';
  return `${namespace}/${name ?? ''}`;
}

/** A value that can be part of a key; other values match nothing. */
function equalTo(fields: FieldSelector, field: string): string | undefined {
  const value = fields.exactMatch(field);
  return value === '' || value?.includes('/') ? undefined : value;
}
