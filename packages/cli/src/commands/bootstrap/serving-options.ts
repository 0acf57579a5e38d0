/** The serving pair of what is installed, and whom the aggregator trusts to have signed it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BootstrapOptions } from '@tributary/server';
import { serverDirectory } from '../pki/locations.ts';

export interface ServingFlags {
  readonly dataDir: string;
  readonly pkiDir?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly caFile?: string;
  readonly omitSecret?: true;
  readonly insecureSkipTlsVerify?: true;
}

export interface ServingOptions {
  readonly options: Pick<BootstrapOptions, 'serving' | 'trust'>;
  readonly notes: readonly string[];
}

export interface ServedPlace {
  readonly id: string;
  readonly namespace: string;
  readonly service: string;
}

interface Pem {
  readonly pair: { readonly cert: string; readonly key: string } | undefined;
  readonly ca: string | undefined;
  readonly notes: readonly string[];
}

export async function servingOptions(
  flags: ServingFlags,
  place: ServedPlace,
): Promise<ServingOptions> {
  refuseContradictions(flags);
  const isGiven = flags.tlsCertFile !== undefined || flags.caFile !== undefined;
  const { pair, ca, notes } = await (isGiven ? givenPem(flags) : madePem(flags, place));
  return {
    options: {
      ...(pair && !flags.omitSecret && { serving: { ...pair, ...(ca !== undefined && { ca }) } }),
      ...trustOf(flags, ca),
    },
    notes,
  };
}

function trustOf(
  { insecureSkipTlsVerify }: ServingFlags,
  ca: string | undefined,
): Pick<BootstrapOptions, 'trust'> {
  if (insecureSkipTlsVerify) return { trust: { kind: 'nothing is verified' } };
  return ca === undefined ? {} : { trust: { kind: 'ca', ca } };
}

function refuseContradictions(flags: ServingFlags): void {
  const { tlsCertFile, tlsPrivateKeyFile, caFile, pkiDir } = flags;
  if ((tlsCertFile === undefined) !== (tlsPrivateKeyFile === undefined)) {
    throw new Error('--tls-cert-file and --tls-private-key-file belong together');
  }
  if (pkiDir !== undefined && (tlsCertFile !== undefined || caFile !== undefined)) {
    throw new Error('--pki-dir is for certificates that are made here: leave out the files');
  }
  if (caFile !== undefined && tlsCertFile === undefined && !flags.omitSecret) {
    throw new Error('--ca-file without a pair: add --tls-cert-file, or --omit-secret');
  }
}

/** A given certificate; without the Secret, only the CA is read. */
async function givenPem({ tlsCertFile, tlsPrivateKeyFile, caFile }: ServingFlags): Promise<Pem> {
  const [cert, key, ca] = await Promise.all([
    readPem(tlsCertFile, 'CERTIFICATE'),
    readPem(tlsPrivateKeyFile, 'PRIVATE KEY'),
    readPem(caFile, 'CERTIFICATE'),
  ]);
  const pair = cert === undefined || key === undefined ? undefined : { cert, key };
  return { pair, ca, notes: [] };
}

/** Made once, and the same ever after: only what is broken or runs out soon is made again. */
async function madePem(flags: ServingFlags, { id, namespace, service }: ServedPlace): Promise<Pem> {
  const { extensionServerPki } = await import('@tributary/core-server');
  const { dataDir, pkiDir } = flags;
  const directory = serverDirectory({ dataDir, server: id, ...(pkiDir && { out: pkiDir }) });
  const server = { group: id, service: { namespace, name: service } };
  const { made } = await extensionServerPki(directory, server, { nowMs: Date.now() });
  const [cert = '', key = '', ca = ''] = await Promise.all(
    ['tls.crt', 'tls.key', 'ca.crt'].map((name) => readFile(join(directory, name), 'utf8')),
  );
  const notes = made.length === 0 ? [] : [`${directory}: made ${made.join(', ')}`];
  return { pair: { cert, key }, ca, notes };
}

async function readPem(path: string | undefined, what: string): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8');
  if (!new RegExp(`-----BEGIN ([A-Z]+ )?${what}-----`).test(text)) {
    throw new Error(`${path} holds no ${what.toLowerCase()} in PEM`);
  }
  return text;
}
