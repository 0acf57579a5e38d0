import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseBundle } from '../../auth/certificate-pool.ts';
import type { ServingCaSource } from './bootstrap-route.ts';

/**
 * Secrets of type `kubernetes.io/tls` have the CA as `ca.crt` beside the pair. It is used only when it signed the
 * certificate. Files are read on every request, because they change on renewal.
 */
export function servingCaFile(certFile: string): ServingCaSource {
  return async (host) => {
    const [cert, ca] = await Promise.all([
      readIfThere(certFile),
      readIfThere(join(dirname(certFile), 'ca.crt')),
    ]);
    return cert !== undefined && ca !== undefined && isFor(cert, ca, host) ? ca : undefined;
  };
}

function isFor(cert: string, ca: string, host: string): boolean {
  try {
    const leaf = new X509Certificate(cert);
    const isSigned = parseBundle(ca).some(
      (issuer) => leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey),
    );
    return isSigned && leaf.checkHost(host) !== undefined;
  } catch {
    return false; // not PEM
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
