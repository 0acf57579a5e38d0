import type { Node, Pod, Secret, ServiceAccount } from '@tributary/api/core-v1';
import type { Client } from '@tributary/client';
import {
  ignoreNotFound,
  nodes,
  pods,
  type SharedInformers,
  secrets,
  serviceAccounts,
} from '@tributary/client/controller';
import type { LiveObjects } from './types.ts';

/** The objects that tokens are bound to. Service accounts come from the informer, and from the server on a cache miss. */
export function liveObjects(client: Client, informers: SharedInformers): LiveObjects {
  const accounts = () => informers.of<ServiceAccount>(serviceAccounts).store;
  return {
    serviceAccount: (namespace, name) =>
      accounts().get(`${namespace}/${name}`) ??
      ignoreNotFound(client.resource<ServiceAccount>(serviceAccounts).in(namespace).get(name)),
    secret: (namespace, name) =>
      ignoreNotFound(client.resource<Secret>(secrets).in(namespace).get(name)),
    pod: (namespace, name) => ignoreNotFound(client.resource<Pod>(pods).in(namespace).get(name)),
    node: (name) => ignoreNotFound(client.resource<Node>(nodes).get(name)),
  };
}
