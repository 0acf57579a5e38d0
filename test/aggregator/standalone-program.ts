/** `tributary aggregator` in front of a cluster, as its user starts it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '@tributary/client';
import {
  logShows,
  runSource,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../harness/index.ts';
import { type Program, programAt } from './gateway-program.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
const READY = /is ready at (https:[^\s,]+)/;

export interface Standalone extends Program {
  readonly dataDir: string;
  /** The path of the kubeconfig that it wrote. */
  readonly kubeconfig: string;
  /** The front-proxy CA that servers behind it trust. */
  readonly frontProxyCaFile: string;
}

export interface StandaloneOptions {
  /** The path of the user's kubeconfig. */
  readonly kubeconfig: string;
  readonly flags?: readonly string[];
  /** One that was used before. */
  readonly dataDir?: string;
}

export async function startStandalone(
  scope: TestScope,
  options: StandaloneOptions,
): Promise<Standalone> {
  const dataDir = options.dataDir ?? (await temporaryDirectory(scope, 'standalone-'));
  const started = await startProcess(scope, {
    name: 'tributary aggregator',
    ...runSource(MAIN, [
      'aggregator',
      `--kubeconfig=${options.kubeconfig}`,
      `--data-dir=${dataDir}`,
      '--secure-port=0',
      ...(options.flags ?? []),
    ]),
    ready: logShows(READY),
  });
  const [, url = ''] = await started.waitForLog(READY);
  const kubeconfig = join(dataDir, 'aggregator.kubeconfig');
  return {
    ...programAt(url, started, await credentialsOf(kubeconfig)),
    dataDir,
    kubeconfig,
    frontProxyCaFile: join(dataDir, 'pki', 'front-proxy-ca.crt'),
  };
}

export interface SharedOptions {
  readonly kubeconfig: string;
  readonly tlsCertFile: string;
  readonly tlsKeyFile: string;
}

/** One for many; gives its address. */
export async function startShared(scope: TestScope, options: SharedOptions): Promise<string> {
  const started = await startProcess(scope, {
    name: 'tributary aggregator, shared',
    ...runSource(MAIN, [
      'aggregator',
      `--kubeconfig=${options.kubeconfig}`,
      `--data-dir=${await temporaryDirectory(scope, 'standalone-')}`,
      '--secure-port=0',
      `--tls-cert-file=${options.tlsCertFile}`,
      `--tls-private-key-file=${options.tlsKeyFile}`,
    ]),
    ready: logShows(READY),
  });
  const [, url = ''] = await started.waitForLog(READY);
  return url;
}

/** Of a kubeconfig with everything inline. */
async function credentialsOf(kubeconfig: string) {
  const { ca, identity } = await loadConfig({ kubeconfig });
  const pem = async (source: { pem: string } | { file: string } | undefined) =>
    source === undefined ? '' : 'pem' in source ? source.pem : readFile(source.file, 'utf8');
  return {
    ca: await pem(ca),
    cert: await pem(identity.certificate?.certificate),
    key: await pem(identity.certificate?.key),
  };
}
