/** Objects that own one another, of the control plane and of the server behind it. */
import assert from 'node:assert/strict';
import { type Gateway, must } from '../../test/aggregator/gateway-program.ts';
import { eventually } from '../../test/harness/index.ts';

export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
}

export const configMap: Kind = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' };
export const secret: Kind = { apiVersion: 'v1', kind: 'Secret', plural: 'secrets' };
export const flunder: Kind = {
  apiVersion: 'wardle.example.com/v1alpha1',
  kind: 'Flunder',
  plural: 'flunders',
};

export interface Made {
  readonly path: string;
  readonly kind: Kind;
  readonly name: string;
  readonly uid: string;
}

export interface Metadata {
  readonly uid: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly unknown[];
}

export interface Stored {
  readonly metadata: Metadata;
  readonly status?: { readonly phase?: string };
}

export const NAMESPACES = '/api/v1/namespaces';
const GONE_MS = 60_000;

export function collectionPath({ apiVersion, plural }: Kind, namespace: string): string {
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  return `${root}/${apiVersion}/namespaces/${namespace}/${plural}`;
}

export interface NewObject {
  readonly namespace: string;
  readonly name: string;
  readonly owner?: Made;
  readonly finalizers?: readonly string[];
}

export async function make(
  gateway: Gateway,
  kind: Kind,
  { namespace, name, owner, finalizers = [] }: NewObject,
): Promise<Made> {
  const { apiVersion, kind: kindName } = kind;
  const collection = collectionPath(kind, namespace);
  const ownerReferences = owner === undefined ? [] : [referenceTo(owner)];
  const object = {
    apiVersion,
    kind: kindName,
    metadata: { name, ownerReferences, finalizers: [...finalizers] },
  };
  // The server behind follows namespaces by itself, and has to hear of a new one first.
  const body = await eventually(`${kindName} ${name} is made`, async () => {
    const { status, body } = await gateway.send('POST', collection, object);
    return status === 201 ? (body as Stored) : undefined;
  });
  return { path: `${collection}/${name}`, kind, name, uid: body.metadata.uid };
}

function referenceTo({ kind: { apiVersion, kind }, name, uid }: Made): object {
  return { apiVersion, kind, name, uid, blockOwnerDeletion: true };
}

export async function makeNamespace(gateway: Gateway, name: string): Promise<void> {
  await must(gateway.send('POST', NAMESPACES, { metadata: { name } }));
}

export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

export async function remove(
  gateway: Gateway,
  path: string,
  propagationPolicy: PropagationPolicy = 'Background',
): Promise<void> {
  await must(gateway.send('DELETE', path, { propagationPolicy }));
}

/** Undefined when the object does not exist. */
export async function read(gateway: Gateway, path: string): Promise<Stored | undefined> {
  const { status, body } = await gateway.send('GET', path);
  if (status === 404) return undefined;
  assert.equal(status, 200, JSON.stringify(body));
  return body as Stored;
}

export async function namesIn(gateway: Gateway, collection: string): Promise<string[]> {
  const { items } = (await must(gateway.send('GET', collection))) as {
    items: { metadata: { name: string } }[];
  };
  return items.map(({ metadata }) => metadata.name);
}

export async function untilGone(gateway: Gateway, path: string, withinMs = GONE_MS): Promise<void> {
  const gone = async () => (await gateway.send('GET', path)).status === 404;
  await eventually(`${path} is gone`, gone, { withinMs });
}

/** Removes a finalizer. */
export async function release(gateway: Gateway, path: string, finalizer: string): Promise<void> {
  const { metadata } = (await must(gateway.send('GET', path))) as Stored;
  const finalizers = metadata.finalizers?.filter((name) => name !== finalizer) ?? [];
  const change = { metadata: { finalizers } };
  await must(gateway.send('PATCH', path, change, 'application/merge-patch+json'));
}
