import { StatusError } from '@tributary/apimachinery';
import { createClient, TransportError } from '@tributary/client';
import type { KeyPair, ServiceName } from '@tributary/core-server';

export interface TokenRequestOptions {
  readonly server: string;
  /** PEM of the CA of the server's certificate. */
  readonly ca: string;
  readonly admin: KeyPair;
  readonly serviceAccount: ServiceName;
  readonly expirationSeconds: number;
}

/** Whether a server runs is known soon; it is near. */
const TIMEOUT_MS = 10_000;

/** Asks the running server for a token of a service account, as its administrator. */
export async function requestToken(options: TokenRequestOptions): Promise<string> {
  const { server, ca, admin, serviceAccount } = options;
  await using client = createClient({
    server,
    ca: { pem: ca },
    identity: { certificate: { certificate: { pem: admin.cert }, key: { pem: admin.key } } },
    namespace: serviceAccount.namespace,
  });
  try {
    const { body } = await client.transport.request('POST', pathOf(serviceAccount), {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: options.expirationSeconds },
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      retriesMax: 0,
    });
    return tokenIn(JSON.parse(body.toString()));
  } catch (error) {
    throw explained(error, options);
  }
}

function pathOf({ namespace, name }: ServiceName): string {
  return `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
}

function tokenIn(result: { status?: { token?: unknown } }): string {
  const token = result.status?.token;
  if (typeof token !== 'string' || token === '') throw new Error('the answer holds no token');
  return token;
}

function explained(error: unknown, { server, serviceAccount }: TokenRequestOptions): Error {
  if (error instanceof StatusError) {
    const { namespace, name } = serviceAccount;
    return new Error(`${server} gives no token for ${namespace}/${name}: ${error.message}`);
  }
  if (error instanceof TransportError) {
    return new Error(
      `no server answers at ${server} (${error.code}): a token comes from a running server, ` +
        `start it with "tributary up" or name it with --server`,
    );
  }
  return error instanceof Error ? error : new Error(String(error));
}
