/** A temporary public key infrastructure for a control plane with aggregation, made in milliseconds. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Authority,
  type CertificateRequest,
  createAuthority,
  type KeyPair,
  type Subject,
  type Validity,
} from '@tributary/server/pki';

export { type Authority, type CertificateRequest, createAuthority, type KeyPair };

export interface Pki {
  /** Signs servers and users. */
  ca: Authority;
  /** For `localhost`, `127.0.0.1` and `::1`. */
  server: KeyPair;
  /** In the group `system:masters`. */
  admin: KeyPair;
  /** Signs only aggregators, which may impersonate users with request headers. */
  frontProxyCa: Authority;
  frontProxyClient: KeyPair;
  client(subject: Subject & Partial<Validity>): KeyPair;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];

export function createPki(): Pki {
  const ca = createAuthority('test-ca');
  const frontProxyCa = createAuthority('test-front-proxy-ca');
  return {
    ca,
    server: ca.issue({ commonName: 'localhost', names: LOOPBACK_NAMES, usage: 'server' }),
    admin: ca.issue({ commonName: 'admin', organizations: ['system:masters'], usage: 'client' }),
    frontProxyCa,
    frontProxyClient: frontProxyCa.issue({ commonName: 'front-proxy-client', usage: 'client' }),
    client: (subject) => ca.issue({ ...subject, usage: 'client' }),
  };
}

export interface PkiFiles {
  caFile: string;
  serverCertFile: string;
  serverKeyFile: string;
  adminCertFile: string;
  adminKeyFile: string;
  frontProxyCaFile: string;
  frontProxyClientCertFile: string;
  frontProxyClientKeyFile: string;
}

/** Writes the files that programs read; the keys of the authorities stay in memory. */
export async function writePki(directory: string, pki: Pki): Promise<PkiFiles> {
  const write = async (name: string, pem: string): Promise<string> => {
    const path = join(directory, name);
    await writeFile(path, pem, { mode: 0o600 });
    return path;
  };
  return {
    caFile: await write('ca.crt', pki.ca.cert),
    serverCertFile: await write('server.crt', pki.server.cert),
    serverKeyFile: await write('server.key', pki.server.key),
    adminCertFile: await write('admin.crt', pki.admin.cert),
    adminKeyFile: await write('admin.key', pki.admin.key),
    frontProxyCaFile: await write('front-proxy-ca.crt', pki.frontProxyCa.cert),
    frontProxyClientCertFile: await write('front-proxy-client.crt', pki.frontProxyClient.cert),
    frontProxyClientKeyFile: await write('front-proxy-client.key', pki.frontProxyClient.key),
  };
}
