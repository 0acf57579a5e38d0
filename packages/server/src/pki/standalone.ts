import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAuthority } from './authority.ts';
import type { KeyPair } from './issuing.ts';

/** The PKI of a server without configured certificates: a CA, a serving certificate and an administrator. */
export interface StandalonePki {
  readonly ca: string;
  readonly serving: KeyPair;
  readonly admin: KeyPair;
}

const FILES = ['ca.crt', 'serving.crt', 'serving.key', 'admin.crt', 'admin.key'] as const;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
const RENEW_BEFORE_MS = 30 * 24 * 60 * 60 * 1000;
const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/** Reads the certificates of a directory, or issues them when they are missing or expire soon. */
export async function standalonePki(
  directory: string,
  options: { names?: readonly string[]; nowMs: number },
): Promise<StandalonePki> {
  const stored = await readPki(directory);
  if (stored !== undefined && isGood(stored, options.nowMs)) return stored;
  const made = createStandalonePki(options.names ?? [], options.nowMs);
  await writePki(directory, made);
  return made;
}

/** The CA's key is not stored: a change issues everything again. */
function createStandalonePki(names: readonly string[], nowMs: number): StandalonePki {
  const notAfter = new Date(nowMs + YEAR_MS);
  const ca = createAuthority('tributary-ca', { notAfter });
  const admin = { commonName: 'admin', organizations: ['system:masters'] };
  const serving = { commonName: 'localhost', names: [...LOOPBACK, ...names] };
  return {
    ca: ca.cert,
    serving: ca.issue({ ...serving, usage: 'server', notAfter }),
    admin: ca.issue({ ...admin, usage: 'client', notAfter }),
  };
}

/** A process killed while writing may have left files that do not match. */
function isGood({ ca, serving, admin }: StandalonePki, nowMs: number): boolean {
  try {
    const authority = new X509Certificate(ca);
    return [serving, admin].every(({ cert, key }) => {
      const certificate = new X509Certificate(cert);
      return (
        Date.parse(certificate.validTo) - nowMs > RENEW_BEFORE_MS &&
        certificate.verify(authority.publicKey) &&
        certificate.checkPrivateKey(createPrivateKey(key))
      );
    });
  } catch {
    return false; // not PEM: issued again
  }
}

async function readPki(directory: string): Promise<StandalonePki | undefined> {
  const paths = FILES.map((name) => join(directory, name));
  if (!paths.every((path) => existsSync(path))) return undefined;
  const [ca = '', cert = '', key = '', adminCert = '', adminKey = ''] = await Promise.all(
    paths.map((path) => readFile(path, 'utf8')),
  );
  return { ca, serving: { cert, key }, admin: { cert: adminCert, key: adminKey } };
}

async function writePki(directory: string, pki: StandalonePki): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const contents = [pki.ca, pki.serving.cert, pki.serving.key, pki.admin.cert, pki.admin.key];
  for (const [index, name] of FILES.entries()) {
    const path = join(directory, name);
    await writeFile(`${path}.new`, contents[index] ?? '', { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}
