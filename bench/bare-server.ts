/** The least an HTTPS server on Node can do: constant buffers. Started as a program, told its files by arguments. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const [certFile = '', keyFile = '', bodyFile = ''] = process.argv.slice(2);
const bodies = new Map(
  Object.entries(JSON.parse(readFileSync(bodyFile, 'utf8')) as Record<string, string>),
);
const answers = new Map([...bodies].map(([path, body]) => [path, Buffer.from(body)]));

const server = createServer(
  {
    cert: readFileSync(certFile),
    key: readFileSync(keyFile),
    requestCert: true,
    rejectUnauthorized: false,
  },
  (request, response) => {
    const body = answers.get(request.url ?? '');
    if (body === undefined) response.writeHead(404).end();
    else {
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': body.length,
      });
      response.end(body);
    }
  },
);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`);
});
