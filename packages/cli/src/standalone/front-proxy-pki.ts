import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@tributary/client';
import type { Logger } from '@tributary/server';
import { createKey, issueLeaf, type KeyPair, selfSign, validFor } from '@tributary/server/pki';

/** The front-proxy certificate of the aggregator, where none was given. */
export interface FrontProxyFiles {
  /** The CA that backends trust. */
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const CA_LIFETIME_MS = 3650 * DAY_MS;
const CLIENT_LIFETIME_MS = 365 * DAY_MS;
const RENEW_BEFORE_MS = 30 * DAY_MS;
export const FRONT_PROXY_NAME = 'front-proxy-client';

/**
 * Reads the authority of a directory, or makes it. It stays for years, because other servers were told of it; the
 * certificate that it signs is made anew in time.
 */
export async function frontProxyPki(directory: string, nowMs: number): Promise<FrontProxyFiles> {
  const file = (name: string) => join(directory, `front-proxy-${name}`);
  const files = {
    caFile: file('ca.crt'),
    certFile: file('client.crt'),
    keyFile: file('client.key'),
  };
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const ca = await readOrMake({ certFile: files.caFile, keyFile: file('ca.key') }, nowMs, () => {
    const key = createKey();
    const validity = validFor({ nowMs, lifetimeMs: CA_LIFETIME_MS });
    return { key, cert: selfSign(key, 'tributary-front-proxy-ca', validity) };
  });
  const isOfThisCa = (cert: X509Certificate) => cert.verify(new X509Certificate(ca.cert).publicKey);
  await readOrMake(files, nowMs, () => issueClient(ca, nowMs), isOfThisCa);
  return files;
}

function issueClient(ca: KeyPair, nowMs: number): KeyPair {
  const validity = validFor({ nowMs, lifetimeMs: CLIENT_LIFETIME_MS });
  return issueLeaf(ca, { commonName: FRONT_PROXY_NAME, usage: 'client' }, validity);
}

async function readOrMake(
  { certFile, keyFile }: Pick<FrontProxyFiles, 'certFile' | 'keyFile'>,
  nowMs: number,
  make: () => KeyPair,
  isGood: (certificate: X509Certificate) => boolean = () => true,
): Promise<KeyPair> {
  if (existsSync(certFile) && existsSync(keyFile)) {
    const cert = await readFile(certFile, 'utf8');
    const certificate = new X509Certificate(cert);
    const isLasting = Date.parse(certificate.validTo) - nowMs > RENEW_BEFORE_MS;
    if (isLasting && isGood(certificate)) return { cert, key: await readFile(keyFile, 'utf8') };
  }
  const made = make();
  // The key first: a certificate without its key would be taken for a pair.
  await writePrivately(keyFile, made.key);
  await writePrivately(certFile, made.cert);
  return made;
}

export async function writePrivately(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Checks every day whether the certificate must be renewed; readers of the files notice. */
export async function keepFrontProxyPki(
  directory: string,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<{ readonly files: FrontProxyFiles; close(): void }> {
  let cancelTimer = () => {};
  const lookAgain = (): void => {
    cancelTimer = clock.schedule(DAY_MS, () => {
      frontProxyPki(directory, clock.nowMs())
        .catch((error: unknown) => log.error(error, 'Renewing front-proxy certificate failed'))
        .finally(lookAgain);
    });
  };
  const files = await frontProxyPki(directory, clock.nowMs());
  lookAgain();
  return { files, close: () => cancelTimer() };
}
