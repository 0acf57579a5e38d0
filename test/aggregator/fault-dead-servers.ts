/** Registrations of dead servers: closed ports, and listeners that never respond. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { defer, freePort, type TestScope } from '../harness/index.ts';
import { type Gateway, must } from './gateway-program.ts';
import { APISERVICES } from './registration-objects.ts';

export interface DeadServers {
  readonly refusing: number;
  readonly frozen: number;
}

/** One group for each. */
export async function registerDeadServers(
  scope: TestScope,
  gateway: Gateway,
  { refusing, frozen }: DeadServers,
): Promise<void> {
  const silentPort = await listenInSilence(scope);
  for (let index = 0; index < refusing + frozen; index += 1) {
    const port = index < refusing ? await freePort() : silentPort;
    await must(gateway.send('POST', APISERVICES, deadApiService(index, port)));
  }
}

function deadApiService(index: number, port: number): object {
  const group = `dead-${index}.example.com`;
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: {
      name: `v1.${group}`,
      annotations: { 'aggregation.tributary.dev/url': `https://127.0.0.1:${port}` },
    },
    spec: {
      group,
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: 'nowhere', name: 'nobody' },
    },
  };
}

async function listenInSilence(scope: TestScope): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    socket.on('error', () => socket.destroy()); // The client's timeout.
    socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(scope, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
