import type { KubeObject } from '@tributary/apimachinery';
import type { Client, ResourceType } from '@tributary/client';

const FIELD_MANAGER = 'tributary-sample';

/** Server-side apply: what is there already as it should be is not written again. */
export async function applyObjects(
  client: Client,
  objects: readonly KubeObject[],
  signal: AbortSignal,
): Promise<void> {
  for (const object of objects) {
    const { name = '', namespace } = object.metadata;
    const all = client.resource(resourceOf(object));
    const resource = namespace === undefined ? all : all.in(namespace);
    await resource.patch(
      name,
      { kind: 'apply', object, force: true },
      { fieldManager: FIELD_MANAGER, signal },
    );
  }
}

/** The plurals of the kinds that a sample is made of all end in `s`. */
function resourceOf({ apiVersion, kind, metadata }: KubeObject): ResourceType {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return {
    group,
    version,
    plural: `${kind.toLowerCase()}s`,
    namespaced: metadata.namespace !== undefined,
  };
}
