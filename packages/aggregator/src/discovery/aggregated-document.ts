/** Decodes `apidiscovery.k8s.io` documents of backends. */
import { formatGroupVersion, type GroupVersion } from '@tributary/apimachinery';
import type { APIResourceDiscovery, APISubresourceDiscovery } from '@tributary/server/discovery';
import { kindAt, listAt, nameAt, objectAt, textAt, textsAt } from './decode-fields.ts';
import { MalformedDocument, type ParsedDocument, parseBounded } from './document-bounds.ts';

/** The resources of a backend, by group version as in `apiVersion`. */
export type VersionResources = ReadonlyMap<string, readonly APIResourceDiscovery[]>;

/** The depth of a resource: list, items, group, versions, version, resources, resource. */
const ELEMENT_DEPTH = 7;

export async function decodeAggregated(bytes: Uint8Array): Promise<VersionResources> {
  const document = await parseBounded(bytes, { elementDepth: ELEMENT_DEPTH });
  const { kind, items } = objectAt(document.frame, 'the document');
  if (kind !== 'APIGroupDiscoveryList') throw new MalformedDocument('its kind is another');
  const versions = new Map<string, readonly APIResourceDiscovery[]>();
  for (const item of listAt(items, 'items')) {
    const group = objectAt(item, 'an item');
    const name = textAt(objectAt(group.metadata ?? {}, 'metadata').name, 'metadata.name');
    for (const entry of listAt(group.versions, `versions of ${name}`)) {
      const { version, resources } = objectAt(entry, `a version of ${name}`);
      const groupVersion = { group: name, version: nameAt(version, `a version of ${name}`) };
      versions.set(
        formatGroupVersion(groupVersion),
        await decodeResources(document, resources, groupVersion),
      );
    }
  }
  return versions;
}

export function decodeResources(
  document: ParsedDocument,
  resources: unknown,
  groupVersion: GroupVersion,
): Promise<readonly APIResourceDiscovery[]> {
  const where = formatGroupVersion(groupVersion);
  const list = listAt(resources, `resources of ${where}`);
  return document.mapElements(list, (one) => decodeResource(one, where));
}

function decodeResource(value: unknown, around: string): APIResourceDiscovery {
  const fields = objectAt(value, `a resource of ${around}`);
  const resource = nameAt(fields.resource, `the name of a resource of ${around}`);
  const where = `${resource} of ${around}`;
  const shortNames = textsAt(fields.shortNames, `shortNames of ${where}`);
  const categories = textsAt(fields.categories, `categories of ${where}`);
  const subresources = listAt(fields.subresources, `subresources of ${where}`);
  return {
    resource,
    responseKind: kindAt(fields.responseKind, `responseKind of ${where}`),
    scope: decodeScope(fields.scope, where),
    singularResource: textAt(fields.singularResource, `singularResource of ${where}`),
    verbs: textsAt(fields.verbs, `verbs of ${where}`),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((one) => decodeSubresource(one, where)),
    }),
  };
}

function decodeSubresource(value: unknown, around: string): APISubresourceDiscovery {
  const fields = objectAt(value, `a subresource of ${around}`);
  const subresource = nameAt(fields.subresource, `the name of a subresource of ${around}`);
  const where = `${subresource} of ${around}`;
  const acceptedTypes = listAt(fields.acceptedTypes, `acceptedTypes of ${where}`);
  return {
    subresource,
    responseKind: kindAt(fields.responseKind, `responseKind of ${where}`),
    ...(acceptedTypes.length > 0 && {
      acceptedTypes: acceptedTypes.map((one) => kindAt(one, `acceptedTypes of ${where}`)),
    }),
    verbs: textsAt(fields.verbs, `verbs of ${where}`),
  };
}

function decodeScope(value: unknown, where: string): APIResourceDiscovery['scope'] {
  const scope = textAt(value, `scope of ${where}`);
  if (scope === 'Namespaced' || scope === 'Cluster') return scope;
  throw new MalformedDocument(`scope of ${where} is neither Namespaced nor Cluster`);
}
