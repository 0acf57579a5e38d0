import { listen } from '../http/listener/listener.ts';
import { serveExchanges } from '../http/listener/serve-exchanges.ts';
import { createAuthority } from '../pki/authority.ts';
import { kubeconfig } from '../pki/kubeconfig.ts';
import { BODY_BYTES_MAX } from '../program/server.ts';
import type { Handler } from '../request/pipeline.ts';

/** A real port of a test server, for kubectl and other programs. */
export interface TestPort extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** PEM of the CA of the serving certificate. */
  readonly ca: string;
  /** The administrator's bearer token. */
  readonly token: string;
  /** The contents of a kubeconfig for the administrator. */
  readonly kubeconfig: string;
  close(): Promise<void>;
}

interface TestPortOptions {
  readonly handler: Handler;
  readonly token: string;
  readonly reportBug: (error: unknown) => void;
}

/** Tests do not wait for idle connections. */
const DRAIN_MS = 100;

export async function openTestPort({
  handler,
  token,
  reportBug,
}: TestPortOptions): Promise<TestPort> {
  const authority = createAuthority('test-ca');
  const { cert, key } = authority.issue({
    commonName: 'localhost',
    names: ['localhost', '127.0.0.1'],
    usage: 'server',
  });
  const listener = await listen({
    address: '127.0.0.1',
    port: 0,
    certificate: cert,
    privateKey: key,
    serve: serveExchanges({ handler, bodyBytesMax: BODY_BYTES_MAX, reportBug }),
    onHandshakeError: () => {},
  });
  const url = `https://127.0.0.1:${listener.port}`;
  const close = () => listener.close(DRAIN_MS);
  return {
    url,
    port: listener.port,
    ca: authority.cert,
    token,
    kubeconfig: kubeconfig({ server: url, ca: authority.cert, user: { token } }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
