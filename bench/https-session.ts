import { once } from 'node:events';
import type { ClientHttp2Session } from 'node:http2';
import { text } from 'node:stream/consumers';
import { goLikeSession } from './go-like-session.ts';
import type { LoadTarget } from './http-load.ts';

/** One HTTP/2 connection for the setup of a benchmark. */
export interface HttpsSession extends AsyncDisposable {
  get(path: string): Promise<string>;
  post(path: string, body: unknown): Promise<string>;
  /** Sends a merge patch. */
  patch(path: string, body: unknown): Promise<string>;
}

export async function httpsSession(target: Omit<LoadTarget, 'path'>): Promise<HttpsSession> {
  const session = await goLikeSession(target);
  return {
    get: (path) => exchange(session, 'GET', path),
    post: (path, body) => exchange(session, 'POST', path, JSON.stringify(body)),
    patch: (path, body) => exchange(session, 'PATCH', path, JSON.stringify(body)),
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
  const stream = session.request({
    ':method': method,
    ':path': path,
    ...(method === 'PATCH' && { 'content-type': 'application/merge-patch+json' }),
  });
  stream.end(body);
  // Both are awaited from the beginning: a short response may end before its headers are read.
  const [[headers], content] = await Promise.all([
    once(stream, 'response') as Promise<[Record<string, unknown>]>,
    text(stream),
  ]);
  if (Number(headers[':status']) >= 300) throw new Error(`${method} ${path}: ${content}`);
  return content;
}
