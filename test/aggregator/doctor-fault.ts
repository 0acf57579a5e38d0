/** Faults of a registration, a server or a certificate for the doctor to find. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fix, Hop } from '../../packages/doctor/src/report/diagnosis.ts';
import type { KeyPair } from '../harness/index.ts';
import type { Manner } from './doctor-backend.ts';
import type { Kit } from './doctor-kit.ts';
import { apiService } from './registration-objects.ts';

/** Facts that the test knows and the doctor does not. */
export interface Injected {
  readonly blanks?: Readonly<Record<string, string>>;
  /** Does what a step asks of the program. */
  readonly server?: (fix: Extract<Fix, { kind: 'server' }>) => Promise<unknown>;
}

export interface Fault {
  readonly name: string;
  readonly hop: Hop;
  readonly seen: RegExp;
  /** Through the real command. */
  readonly isCommand?: boolean;
  /** The examined registration; undefined: the usual one. */
  readonly examined?: string;
  /** After the repair everything that is registered is examined. */
  readonly changesName?: boolean;
  readonly inject: (kit: Kit) => Promise<Injected>;
}

export function registration(
  kit: Kit,
  spec: object = {},
  metadata: object = {},
): { metadata: object; spec: object } {
  const usual = apiService({ version: 'v1alpha1', ca: kit.authority.cert }) as {
    metadata: object;
    spec: object;
  };
  return {
    ...usual,
    metadata: { ...usual.metadata, ...metadata },
    spec: { ...usual.spec, ...spec },
  };
}

/** The server of the test, broken in its manner, and well after its restart. */
export async function broken(kit: Kit, manner: Manner): Promise<Injected> {
  await kit.backend.restart({ manner });
  await kit.register({ port: kit.backend.port });
  return { server: ({ flags }) => restarted(kit, flags) };
}

async function restarted({ backend }: Kit, flags: readonly string[] = []): Promise<void> {
  const file = (flag: string) => flags.find((one) => one.startsWith(flag))?.split('=')[1];
  const [cert, key] = [file('--tls-cert-file'), file('--tls-private-key-file')];
  const pair =
    cert === undefined || key === undefined
      ? {}
      : { pair: { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') } };
  await backend.restart(pair);
}

export async function withPair(kit: Kit, pair: KeyPair): Promise<Injected> {
  await kit.backend.restart({ pair });
  await kit.register({ port: kit.backend.port });
  return {
    blanks: { CA_BUNDLE: Buffer.from(kit.authority.cert).toString('base64') },
    server: ({ flags }) => restarted(kit, flags),
  };
}

/** The front proxy's pair on this machine; that of the gateway stays good. */
export async function withFrontProxy(kit: Kit, { cert, key }: KeyPair): Promise<Injected> {
  await writeFile(join(kit.dataDir, 'pki', 'front-proxy-client.crt'), cert);
  await writeFile(join(kit.dataDir, 'pki', 'front-proxy-client.key'), key);
  await kit.register({ port: kit.wardle.port });
  return {};
}
