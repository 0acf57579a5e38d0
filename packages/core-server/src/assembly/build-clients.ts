import { StatusError } from '@tributary/apimachinery';
import { type Client, systemClock } from '@tributary/client';
import { SharedInformers } from '@tributary/client/controller';
import type { UserInfo } from '@tributary/server';
import { Loopback } from '@tributary/server/http';
import type { CoreServerConfig } from './core-config.ts';

const loopbackUser: UserInfo = {
  name: 'system:apiserver',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

/** Clients of the server that is being assembled. Requests succeed once it exists. */
export interface CoreClients {
  readonly loopback: Loopback;
  readonly client: Client;
  /** Reads and writes local storage also for group versions that an APIService delegates to another server. */
  readonly localClient: Client;
  readonly controllerClient: Client;
  readonly informers: SharedInformers;
}

/** User agents, and with them field managers, are upstream's: tools match on these names. */
export function buildClients(config: CoreServerConfig): CoreClients {
  const { clock = systemClock, log } = config;
  const loopback = new Loopback();
  const clientAs = (userAgent: string, onlyHere = false) =>
    loopback.client({ user: loopbackUser, userAgent, onlyHere });
  const client = clientAs('kube-apiserver');
  const informers = new SharedInformers({
    client,
    clock,
    onError: (error, resource) => {
      log.verbose(2, 'List or watch failed', { resource, err: String(error) });
      if (isUnreadable(error, resource)) config.onUnservable?.(error);
    },
  });
  return {
    loopback,
    client,
    localClient: clientAs('kube-apiserver', true),
    controllerClient: clientAs('kube-controller-manager'),
    informers,
  };
}

/**
 * A stored object that cannot be decoded, among those that authorization, admission and routing depend on. Informers
 * with a field selector hold objects that the server itself maintains, such as published certificates.
 */
function isUnreadable(error: unknown, resource: string): error is StatusError {
  if (!(error instanceof StatusError) || resource.endsWith(')')) return false;
  return error.reason === 'StorageReadError';
}
