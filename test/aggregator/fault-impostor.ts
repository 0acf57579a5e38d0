/** A program that has a server's certificate, its port, and nothing of its manners. */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { createServer as createTlsServer } from 'node:tls';

const [behaviour = '', port = '', certFile = '', keyFile = ''] = process.argv.slice(2);
const serving = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
const CHUNK = Buffer.alloc(16 * 1024, '{"items":[{},');

/** 200, of the type that was asked for, and no end; as fast as it is read. */
const endless: RequestListener = (request, response) => {
  const [type = 'application/json'] = request.headers.accept?.split(',') ?? [];
  response.writeHead(200, { 'content-type': type });
  let bytes = 0;
  const pour = (): void => {
    do bytes += CHUNK.length;
    while (!response.destroyed && response.write(CHUNK));
  };
  response.on('close', () => console.log(`${request.method} ${request.url} had ${bytes} bytes`));
  response.on('drain', pour);
  pour();
};

const redirecting: RequestListener = (request, response) => {
  response.writeHead(302, { location: `https://127.0.0.1:1${request.url}` }).end();
};

/** No HTTP of any version, whatever is said. */
function garbage() {
  return createTlsServer(serving, (socket) => {
    socket.on('error', () => socket.destroy()); // Whoever got it has left.
    socket.on('data', () => socket.write('\u0000\u0001 you would not understand\r\n\r\n'));
  });
}

const servers: Record<string, () => ReturnType<typeof createTlsServer>> = {
  endless: () => createServer(serving, endless),
  redirecting: () => createServer(serving, redirecting),
  garbage,
};

const server = servers[behaviour]?.();
if (server === undefined) throw new Error(`no such behaviour: ${behaviour}`);
server.listen(Number(port), '127.0.0.1', () => console.log(`${behaviour} is listening`));
