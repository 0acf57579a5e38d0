import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import type { LoadTarget } from './http-load.ts';

/** One HTTP/2 connection for setting a benchmark up. */
export interface HttpsSession extends AsyncDisposable {
  get(path: string): Promise<string>;
  post(path: string, body: unknown): Promise<string>;
}

export async function httpsSession({
  port,
  ca,
  cert,
  key,
}: Omit<LoadTarget, 'path'>): Promise<HttpsSession> {
  const session = connect(`https://127.0.0.1:${port}`, { ca, cert, key });
  await once(session, 'connect');
  return {
    get: (path) => exchange(session, 'GET', path),
    post: (path, body) => exchange(session, 'POST', path, JSON.stringify(body)),
    [Symbol.asyncDispose]: async () => {
      session.close();
      await once(session, 'close');
    },
  };
}

async function exchange(
  session: ClientHttp2Session,
  method: string,
  path: string,
  body?: string,
): Promise<string> {
  const stream = session.request({ ':method': method, ':path': path });
  stream.end(body);
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  if (Number(headers[':status']) >= 300) throw new Error(`${method} ${path}: ${text}`);
  return text;
}
