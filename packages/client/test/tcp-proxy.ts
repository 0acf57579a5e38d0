/** Forwards bytes until it is stopped, like a network. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { defer, type TestScope } from '../../../test/harness/index.ts';

export interface TcpProxy {
  readonly port: number;
  /** Connections stay open, but nothing is forwarded any more. */
  freeze(): void;
  /** Ends all connections. */
  cut(): void;
}

export async function startTcpProxy(t: TestScope, target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const own = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((front) => {
    const back = own(connect(target, '127.0.0.1'));
    own(front).pipe(back).pipe(front);
    front.once('close', () => back.destroy());
    back.once('close', () => front.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  defer(t, () => {
    cut();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    cut,
  };
}
