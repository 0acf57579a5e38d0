/** Ordinary users, which flow control counts, and many of their requests to one server. */
import { connect } from 'node:http2';
import { defer, type TestScope } from '../harness/index.ts';
import { type Gateway, must } from './gateway-program.ts';

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const apiGroup = 'rbac.authorization.k8s.io';
/** Below what a server lets one connection have. */
const STREAMS_PER_SESSION = 100;

/** The token of a new user with all permissions and no privileged group. */
export async function ordinaryUser(gateway: Gateway, name: string): Promise<string> {
  await must(gateway.send('POST', ACCOUNTS, { metadata: { name } }));
  const binding = {
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
  };
  await must(gateway.send('POST', BINDINGS, binding));
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const made = await must(gateway.send('POST', `${ACCOUNTS}/${name}/token`, asked));
  return (made as { status: { token: string } }).status.token;
}

/** Requests of one user, not awaited; returns when they are sent. They end with the scope. */
export function crowd(
  scope: TestScope,
  { url, credentials: { ca } }: Gateway,
  { token, path, count }: { readonly token: string; readonly path: string; readonly count: number },
): void {
  for (let left = count; left > 0; left -= STREAMS_PER_SESSION) {
    const session = connect(url, { ca });
    session.on('error', () => undefined); // Errors of the session are not part of the test.
    defer(scope, () => session.destroy());
    for (let index = 0; index < Math.min(left, STREAMS_PER_SESSION); index += 1) {
      const stream = session.request({ ':path': path, authorization: `Bearer ${token}` });
      stream.on('error', () => undefined).resume(); // As above.
    }
  }
}
