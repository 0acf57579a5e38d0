/** A control plane as a target: it has namespaces, which somebody must make. */
import type { Pki } from '../../test/harness/index.ts';
import { httpsTarget, type Target } from '../differential/target.ts';
import { credentialsOf } from './credentials.ts';
import { keepConnection } from './reused-connection.ts';

export interface ControlPlane {
  name: string;
  version: string;
  /** Without a path. */
  url: string;
  pki: Pki;
}

export async function controlPlaneTarget({ url, pki, ...rest }: ControlPlane): Promise<Target> {
  const ca = pki.ca.cert;
  const credentials = await credentialsOf(pki);
  const sendAsAdmin = keepConnection({ url, ca, credential: credentials.admin });
  const prepareNamespace = async (name: string): Promise<void> => {
    const { status, body } = await sendAsAdmin({
      method: 'POST',
      url: '/api/v1/namespaces',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name } }),
      protocol: 'h2',
      as: 'admin',
    });
    if (status !== 201) throw new Error(`namespace ${name}: ${status} ${body}`);
  };
  const target = httpsTarget({ ...rest, url, ca, credentials, prepareNamespace });
  return {
    ...target,
    // Everybody else comes over a connection of their own: who they are is what those rows are about.
    send: (call) =>
      call.as === 'admin' && call.protocol === 'h2' ? sendAsAdmin(call) : target.send(call),
  };
}
