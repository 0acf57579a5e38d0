import { type Client, type ClientConfig, type Clock, createClient } from '@tributary/client';
import type { Logger } from '@tributary/server';
import { type Cluster, openCluster } from './cluster.ts';
import { type ClusterDiscovery, watchClusterDiscovery } from './cluster-discovery.ts';
import { type ClusterServices, clusterServices } from './cluster-services.ts';

export const USER_AGENT = 'tributary-aggregator';

/** A cluster, seen with the rights of the user of a kubeconfig. Everything here only reads. */
export interface ClusterView extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly client: Client;
  readonly services: ClusterServices;
  readonly discovery: ClusterDiscovery;
}

export function viewCluster(
  config: ClientConfig,
  { clock, log, changed }: { clock: Clock; log: Logger; changed: () => void },
): ClusterView {
  const owned = new AsyncDisposableStack();
  const cluster = owned.use(openCluster(config, { clock }));
  const client = owned.use(createClient(config, { clock, userAgent: USER_AGENT }));
  const services = owned.use(clusterServices(client, clock));
  const discovery = owned.use(watchClusterDiscovery({ cluster, clock, log, changed }));
  const close = () => owned.disposeAsync();
  return { cluster, client, services, discovery, [Symbol.asyncDispose]: close };
}
