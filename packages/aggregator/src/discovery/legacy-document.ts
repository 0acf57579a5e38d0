/** Decodes `APIResourceList` documents of `meta/v1`, and converts them. */
import { formatGroupVersion, type GroupVersion } from '@tributary/apimachinery';
import type {
  APIResource,
  APIResourceDiscovery,
  APISubresourceDiscovery,
} from '@tributary/server/discovery';
import { flagAt, listAt, nameAt, objectAt, textAt, textsAt } from './decode-fields.ts';
import { MalformedDocument, type ParsedDocument, parseBounded } from './document-bounds.ts';

/** The depth of a resource: document, list, resource. */
export const LIST_ELEMENT_DEPTH = 3;

export async function decodeLegacy(bytes: Uint8Array): Promise<readonly APIResource[]> {
  const document = await parseBounded(bytes, { elementDepth: LIST_ELEMENT_DEPTH });
  const { kind, resources } = objectAt(document.frame, 'the document');
  if (kind !== 'APIResourceList') throw new MalformedDocument('its kind is another');
  return decodeLegacyResources(document, resources);
}

export function decodeLegacyResources(
  document: ParsedDocument,
  resources: unknown,
): Promise<readonly APIResource[]> {
  return document.mapElements(listAt(resources, 'resources'), decodeLegacyResource);
}

function decodeLegacyResource(value: unknown): APIResource {
  const fields = objectAt(value, 'a resource');
  const name = nameAt(fields.name, 'the name of a resource');
  const group = textAt(fields.group, `group of ${name}`);
  const version = textAt(fields.version, `version of ${name}`);
  const shortNames = textsAt(fields.shortNames, `shortNames of ${name}`);
  const categories = textsAt(fields.categories, `categories of ${name}`);
  const storageVersionHash = textAt(fields.storageVersionHash, `storageVersionHash of ${name}`);
  return {
    name,
    singularName: textAt(fields.singularName, `singularName of ${name}`),
    namespaced: flagAt(fields.namespaced, `namespaced of ${name}`),
    ...(group !== '' && { group }),
    ...(version !== '' && { version }),
    kind: textAt(fields.kind, `kind of ${name}`),
    verbs: textsAt(fields.verbs, `verbs of ${name}`),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(storageVersionHash !== '' && { storageVersionHash }),
  };
}

/** The document at `/apis/G/V`. */
export function legacyDocument(
  groupVersion: GroupVersion,
  resources: readonly APIResource[],
): object {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: formatGroupVersion(groupVersion),
    resources,
  };
}

/** As upstream converts: a subresource implies a missing parent, and must have the scope of its parent. */
export function fromLegacy(list: readonly APIResource[]): readonly APIResourceDiscovery[] {
  const parents = new Map<string, Parent>();
  for (const one of list) {
    if (!one.name.includes('/')) parents.set(one.name, parentOf(one));
  }
  for (const one of list) {
    const slash = one.name.indexOf('/');
    if (slash === -1) continue;
    addSubresource(parents, one, [one.name.slice(0, slash), one.name.slice(slash + 1)]);
  }
  return [...parents.values()].map(({ subresources, ...parent }) => ({
    ...parent,
    ...(subresources.length > 0 && { subresources }),
  }));
}

type Parent = Omit<APIResourceDiscovery, 'subresources'> & {
  readonly subresources: APISubresourceDiscovery[];
};

const NO_KIND = { group: '', version: '', kind: '' };

function parentOf(one: APIResource): Parent {
  const { name, singularName, kind, group = '', version = '', verbs } = one;
  return {
    resource: name,
    responseKind: { group, version, kind },
    scope: scopeOf(one),
    singularResource: singularName,
    verbs,
    ...(one.shortNames && { shortNames: one.shortNames }),
    ...(one.categories && { categories: one.categories }),
    subresources: [],
  };
}

function addSubresource(
  parents: Map<string, Parent>,
  one: APIResource,
  [resource, subresource]: readonly [string, string],
): void {
  const scope = scopeOf(one);
  const parent = parents.get(resource) ?? orphanage(resource, scope);
  if (parent.scope !== scope) {
    throw new MalformedDocument(`${resource} is ${parent.scope}, but ${one.name} is ${scope}`);
  }
  const { group = '', version = '', kind, verbs } = one;
  const responseKind = kind === '' ? NO_KIND : { group, version, kind };
  parent.subresources.push({ subresource, responseKind, verbs });
  parents.set(resource, parent);
}

/** The parent of subresources that is missing in the list. */
function orphanage(resource: string, scope: Parent['scope']): Parent {
  const nothing = { responseKind: NO_KIND, singularResource: '', verbs: [] };
  return { resource, scope, ...nothing, subresources: [] };
}

function scopeOf({ namespaced }: APIResource): APIResourceDiscovery['scope'] {
  return namespaced ? 'Namespaced' : 'Cluster';
}

/** As client-go converts: a resource without a kind is left out. */
export function toLegacy(
  resources: readonly APIResourceDiscovery[],
  around: GroupVersion,
): readonly APIResource[] {
  return resources.flatMap(({ subresources = [], ...one }) => {
    const namespaced = one.scope === 'Namespaced';
    const main: APIResource = {
      name: one.resource,
      singularName: one.singularResource,
      namespaced,
      ...responseKind(one.responseKind, around),
      verbs: one.verbs,
      ...(one.shortNames && { shortNames: one.shortNames }),
      ...(one.categories && { categories: one.categories }),
    };
    const parts = subresources.map((part) => ({
      name: `${one.resource}/${part.subresource}`,
      singularName: '',
      namespaced,
      ...responseKind(part.responseKind, around),
      verbs: part.verbs,
    }));
    return [main, ...parts].filter(({ kind }) => kind !== '');
  });
}

/** Group and version appear only where they differ from the list's. */
function responseKind(
  { group, version, kind }: APIResourceDiscovery['responseKind'],
  around: GroupVersion,
): Pick<APIResource, 'group' | 'version' | 'kind'> {
  const own =
    (group === '' && version === '') || (group === around.group && version === around.version);
  return own ? { kind } : { group, version, kind };
}
