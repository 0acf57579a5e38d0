import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import { ignoreNotFound, type SharedInformers } from '@tributary/client/controller';
import type { ObjectId } from './rbac-index.ts';
import type { PolicyStore } from './reconcile-policy.ts';
import type { RbacObjects, RbacResource } from './types.ts';
import { rbacResourceTypes } from './watch-policy.ts';

const POLL_MS = 2;
const SYNC_TIMEOUT_MS = 5_000;

interface Connections {
  readonly client: Client;
  readonly informers: SharedInformers;
  readonly signal: AbortSignal;
}

/**
 * Roles and bindings through the API. The first read of an object comes from the informers, which run anyway: most
 * starts find every object in place, and would otherwise read hundreds of objects one by one.
 */
export class ApiPolicyStore implements PolicyStore {
  readonly #connections: Connections;
  readonly #readBefore = new Set<string>();
  readonly #written: { readonly resource: RbacResource; readonly object: KubeObject }[] = [];

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async get<Resource extends RbacResource>(
    resource: Resource,
    { namespace, name }: ObjectId,
  ): Promise<RbacObjects[Resource] | undefined> {
    const key = keyOf({ namespace, name });
    const isFirst = !this.#readBefore.has(`${resource} ${key}`);
    this.#readBefore.add(`${resource} ${key}`);
    if (isFirst) return this.#cached(resource, key) as RbacObjects[Resource] | undefined;
    // A second read follows a conflict, which the informers may not have seen yet.
    const { signal } = this.#connections;
    const reading = this.#requests(resource, namespace).get(name, { signal });
    return (await ignoreNotFound(reading)) as RbacObjects[Resource] | undefined;
  }

  create(resource: RbacResource, object: RbacObjects[RbacResource]): Promise<void> {
    const { signal } = this.#connections;
    const requests = this.#requests(resource, object.metadata.namespace);
    return this.#write(resource, requests.create(object as unknown as KubeObject, { signal }));
  }

  update(resource: RbacResource, object: RbacObjects[RbacResource]): Promise<void> {
    const { signal } = this.#connections;
    const requests = this.#requests(resource, object.metadata.namespace);
    return this.#write(resource, requests.update(object as unknown as KubeObject, { signal }));
  }

  delete(resource: RbacResource, { metadata }: RbacObjects[RbacResource]): Promise<unknown> {
    return this.#requests(resource, metadata.namespace).delete(metadata.name ?? '', {
      ...(metadata.uid && { preconditions: { uid: metadata.uid } }),
      signal: this.#connections.signal,
    });
  }

  /**
   * Resolves when the informers have all objects written here, or after a timeout: another client may have deleted one.
   */
  async synced(): Promise<void> {
    const { signal } = this.#connections;
    const endMs = performance.now() + SYNC_TIMEOUT_MS;
    for (const { resource, object } of this.#written) {
      const key = keyOf(object.metadata);
      while (performance.now() < endMs && isOlder(this.#cached(resource, key), object)) {
        await sleep(POLL_MS, undefined, { signal });
      }
    }
    // Handlers run right after the informer's store has changed.
    await sleep(POLL_MS, undefined, { signal });
  }

  #requests(resource: RbacResource, namespace = '') {
    const all = this.#connections.client.resource<KubeObject>(rbacResourceTypes[resource]);
    return namespace === '' ? all : all.in(namespace);
  }

  #cached(resource: RbacResource, key: string): KubeObject | undefined {
    return this.#connections.informers.of(rbacResourceTypes[resource]).store.get(key);
  }

  async #write(resource: RbacResource, writing: Promise<KubeObject>): Promise<void> {
    this.#written.push({ resource, object: await writing });
  }
}

function keyOf(id: {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}): string {
  const { namespace, name = '' } = id;
  return namespace ? `${namespace}/${name}` : name;
}

function isOlder(copy: KubeObject | undefined, { metadata }: KubeObject): boolean {
  return Number(copy?.metadata.resourceVersion ?? 0) < Number(metadata.resourceVersion);
}
