import { createPki, type Pki } from '../../../test/harness/index.ts';
import { listen } from '../src/http/listener/listener.ts';
import { serveExchanges } from '../src/http/listener/serve-exchanges.ts';
import type { Handler } from '../src/request/pipeline.ts';

export interface ListenerFixture extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly pki: Pki;
  /** Errors reported as internal. */
  readonly bugs: unknown[];
}

/** A port with TLS and one handler behind it: the edge without a server around it. */
export async function startListener(
  handler: Handler,
  { bodyBytesMax = 1024 }: { bodyBytesMax?: number } = {},
): Promise<ListenerFixture> {
  const pki = await createPki();
  const bugs: unknown[] = [];
  const listener = await listen({
    address: '127.0.0.1',
    port: 0,
    certificate: pki.server.cert,
    privateKey: pki.server.key,
    serve: serveExchanges({
      handler,
      bodyBytesMax,
      reportBug: (error) => bugs.push(error),
    }),
  });
  return {
    port: listener.port,
    url: `https://127.0.0.1:${listener.port}`,
    pki,
    bugs,
    [Symbol.asyncDispose]: () => listener.close(0),
  };
}
