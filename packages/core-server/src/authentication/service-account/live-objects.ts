import type { Node, Pod, Secret, ServiceAccount } from '@tributary/api/core-v1';
import type { Client } from '@tributary/client';
import { unlessMissing } from '../../controllers/conflicts.ts';
import { nodes, pods, secrets, serviceAccounts } from '../../controllers/resources.ts';
import type { SharedInformers } from '../../controllers/shared-informers.ts';
import type { LiveObjects } from '../index.ts';

/** What tokens are bound to. An account is usually known; what the copy does not have is asked for. */
export function liveObjects(client: Client, informers: SharedInformers): LiveObjects {
  const accounts = () => informers.of<ServiceAccount>(serviceAccounts).store;
  return {
    serviceAccount: (namespace, name) =>
      accounts().get(`${namespace}/${name}`) ??
      unlessMissing(client.resource<ServiceAccount>(serviceAccounts).in(namespace).get(name)),
    secret: (namespace, name) =>
      unlessMissing(client.resource<Secret>(secrets).in(namespace).get(name)),
    pod: (namespace, name) => unlessMissing(client.resource<Pod>(pods).in(namespace).get(name)),
    node: (name) => unlessMissing(client.resource<Node>(nodes).get(name)),
  };
}
