/** A control plane as a target: its namespaces must be created. */
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
    // Other users have connections of their own: those rows are about their identity.
    send: (call) =>
      call.as === 'admin' && call.protocol === 'h2' ? sendAsAdmin(call) : target.send(call),
  };
}
