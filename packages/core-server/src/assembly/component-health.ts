import type { ComponentHealth } from '../kinds/index-a.ts';
import type { CoreServerConfig } from './core-config.ts';

/** How the parts are that this server depends on; they are called as upstream's are. */
export async function componentHealth({
  server,
}: CoreServerConfig): Promise<readonly ComponentHealth[]> {
  try {
    await server.storage.currentRevision();
    return [{ name: 'etcd-0', status: 'Healthy', message: 'ok' }];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ name: 'etcd-0', status: 'Unhealthy', message: why }];
  }
}
