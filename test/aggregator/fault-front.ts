/** A port that leads to one server or another, or to none: what is behind it is replaced without a change of address. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { defer, freePort, type TestScope } from '../harness/index.ts';

export interface Front {
  readonly port: number;
  /** Where connections go from now on; those that are open end, as when a process dies. */
  leadTo(port: number): Promise<void>;
  /** Connections are refused. */
  close(): Promise<void>;
}

/** Refuses until it leads somewhere. */
export async function createFront(scope: TestScope): Promise<Front> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let target = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()); // The other end sees it closed.
    return socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = keep(connect({ port: target, host: '127.0.0.1', allowHalfOpen: true }));
    keep(near).on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    endAll();
    await closed;
  };
  defer(scope, close);
  return {
    port,
    close,
    async leadTo(next) {
      target = next;
      endAll();
      if (server.listening) return;
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}
