/** A program for tests of availability: answers everything with 200, on HTTP/1.1 and HTTP/2. */
import { createSecureServer } from 'node:http2';

const { PORT = '', CERT = '', KEY = '' } = process.env;

createSecureServer({ cert: CERT, key: KEY, allowHTTP1: true }, (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end('{}');
}).listen(Number(PORT), '127.0.0.1', () => process.stdout.write('listening\n'));
