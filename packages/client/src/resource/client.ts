import type { KubeObject } from '@tributary/apimachinery';
import type { ClientConfig } from '../kubeconfig/client-config.ts';
import { createTransport, type Transport, type TransportOptions } from '../transport/transport.ts';
import { type ResourceClient, resource } from './resource-client.ts';
import type { ResourceType } from './resource-path.ts';

/** An API server, as one user. */
export interface Client extends AsyncDisposable {
  readonly transport: Transport;
  /** The namespace of the configuration. */
  readonly namespace: string;
  resource<T extends KubeObject = KubeObject>(type: ResourceType): ResourceClient<T>;
  /** Releases all connections; closing twice is harmless. */
  close(): Promise<void>;
}

export function createClient(config: ClientConfig, options: TransportOptions = {}): Client {
  const transport = createTransport(config, options);
  return {
    transport,
    namespace: config.namespace,
    resource: <T extends KubeObject>(type: ResourceType) => resource<T>(transport, type),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}
