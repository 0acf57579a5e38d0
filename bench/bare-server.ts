/** The minimum that an HTTPS server on Node does, in both protocols: constant buffers. Arguments name its files. */
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';

const [certFile = '', keyFile = '', bodyFile = ''] = process.argv.slice(2);
const bodies = new Map(
  Object.entries(JSON.parse(readFileSync(bodyFile, 'utf8')) as Record<string, string>),
);
const responses = new Map([...bodies].map(([path, body]) => [path, Buffer.from(body)]));

const server = createSecureServer({
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
  requestCert: true,
  rejectUnauthorized: false,
  allowHTTP1: true,
  maxSessionMemory: 500,
});
server.on('stream', (stream, headers) => {
  const body = responses.get(String(headers[':path']));
  if (body === undefined) return stream.respond({ ':status': 404 }, { endStream: true });
  stream.respond({
    ':status': 200,
    'content-type': 'application/json',
    'content-length': body.length,
  });
  stream.end(body);
});
server.on('request', (request, response) => {
  if (request.httpVersionMajor === 2) return; // already served by the stream handler
  const body = responses.get(request.url ?? '');
  if (body === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`);
});
