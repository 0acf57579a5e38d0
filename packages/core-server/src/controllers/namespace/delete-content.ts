import { type KubeList, type KubeObject, parseJson, StatusError } from '@tributary/apimachinery';
import { type Client, resourcePath } from '@tributary/client';
import { isNotFound, type Leftovers, type NamespacedResource } from '@tributary/client/controller';

const NOTHING: Leftovers = { count: 0, finalizers: new Map() };
const ACCEPT = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/** Deletes all objects of a resource in a namespace, and returns how many remain. */
export async function deleteContent(
  client: Client,
  resource: NamespacedResource,
  place: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<Leftovers> {
  const isGone = resource.canDeleteCollection && (await deleteAtOnce(client, resource, place));
  if (!resource.canList) return NOTHING;
  let left = await listMetadata(client, resource, place);
  if (!isGone && left.length > 0) {
    for (const { metadata } of left) await deleteOne(client, resource, metadata, place);
    left = await listMetadata(client, resource, place);
  }
  return leftovers(left);
}

/** Whether the server supports deletecollection for the resource. */
async function deleteAtOnce(
  client: Client,
  resource: NamespacedResource,
  { namespace, signal }: { namespace: string; signal: AbortSignal },
): Promise<boolean> {
  try {
    await client
      .resource(resource)
      .in(namespace)
      .deleteCollection({ propagationPolicy: 'Background', signal });
    return true;
  } catch (error) {
    if (isUnsupported(error)) return false;
    throw error;
  }
}

async function deleteOne(
  client: Client,
  resource: NamespacedResource,
  { name = '', uid }: KubeObject['metadata'],
  { namespace, signal }: { namespace: string; signal: AbortSignal },
): Promise<void> {
  try {
    await client
      .resource(resource)
      .in(namespace)
      .delete(name, {
        propagationPolicy: 'Background',
        ...(uid !== undefined && { preconditions: { uid } }),
        signal,
      });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function listMetadata(
  { transport }: Client,
  resource: NamespacedResource,
  { namespace, signal }: { namespace: string; signal: AbortSignal },
): Promise<readonly KubeObject[]> {
  try {
    const { body } = await transport.request('GET', resourcePath(resource, { namespace }), {
      headers: { accept: ACCEPT },
      signal,
    });
    return (parseJson(body) as unknown as KubeList).items ?? [];
  } catch (error) {
    if (isUnsupported(error)) return [];
    throw error;
  }
}

/** A resource that does not exist needs no deletion. */
function isUnsupported(error: unknown): boolean {
  return error instanceof StatusError && (error.code === 405 || error.code === 404);
}

function leftovers(objects: readonly KubeObject[]): Leftovers {
  const finalizers = new Map<string, number>();
  for (const { metadata } of objects) {
    for (const name of metadata.finalizers ?? []) {
      finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
    }
  }
  return { count: objects.length, finalizers };
}
