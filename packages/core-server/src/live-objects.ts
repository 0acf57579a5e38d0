import type { Client } from '@tributary/client';
import type { LiveObjects } from './authentication/index.ts';
import { unlessMissing } from './controllers/conflicts.ts';
import { secrets, serviceAccounts } from './controllers/resources.ts';
import type { SharedInformers } from './controllers/shared-informers.ts';
import type { Secret, ServiceAccount } from './generated/core-v1.ts';

/** What tokens are bound to. An account is usually known; what the copy does not have is asked for. */
export function liveObjects(client: Client, informers: SharedInformers): LiveObjects {
  const accounts = () => informers.of<ServiceAccount>(serviceAccounts).store;
  return {
    serviceAccount: (namespace, name) =>
      accounts().get(`${namespace}/${name}`) ??
      unlessMissing(client.resource<ServiceAccount>(serviceAccounts).in(namespace).get(name)),
    secret: (namespace, name) =>
      unlessMissing(client.resource<Secret>(secrets).in(namespace).get(name)),
    // There are none in a control plane without nodes.
    pod: () => undefined,
    node: () => undefined,
  };
}
