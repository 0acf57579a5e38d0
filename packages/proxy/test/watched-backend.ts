/** A server with open watches. */
import type { TestScope } from '../../../test/harness/index.ts';
import type { Backend, BackendResponse } from '../src/backend/backend.ts';
import { get, startBackend, type TestBackend } from './backend-fixture.ts';

/** Of HTTP/2, on one connection. */
export const STREAMS_MAX = 100;

/** Keeps `/watch` open, and responses everything else. */
export function startWatched(t: TestScope, http: '1.1' | '2'): Promise<TestBackend> {
  const settings = { maxConcurrentStreams: STREAMS_MAX };
  return startBackend(
    t,
    (request, response) => {
      if (request.url === '/watch') response.writeHead(200).write('{}\n');
      else response.end('ok');
    },
    { http, settings },
  );
}

/** As many at once as one connection takes. */
export async function openWatches(backend: Backend, count: number): Promise<BackendResponse[]> {
  const open: BackendResponse[] = [];
  while (open.length < count) {
    const opened = Array.from({ length: STREAMS_MAX }, () =>
      backend.send(get('/watch', { use: 'watch' })),
    );
    open.push(...(await Promise.all(opened)));
  }
  return open;
}
