import type { Client } from '@tributary/client';

/** Creates the namespace of a scenario. */
export async function provideNamespace(client: Client, name: string): Promise<void> {
  const namespaces = client.resource({
    group: '',
    version: 'v1',
    plural: 'namespaces',
    namespaced: false,
  });
  await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}
